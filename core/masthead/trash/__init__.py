"""The trash: deleted items, which staff list, restore and purge."""
