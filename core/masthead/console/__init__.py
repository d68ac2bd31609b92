"""The toolbox of commands: configuration, tables, progress, the group they join."""
