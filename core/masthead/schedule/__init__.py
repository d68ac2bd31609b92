"""The schedule: the changes of items that happen by themselves, of all types, by time."""
