"""The rules of migrations that run while processes of the previous release use the tables."""
