"""Helpers for commands: configuration, tables, progress bars and the command group."""
