"""The Alembic revisions of core's own tables."""
