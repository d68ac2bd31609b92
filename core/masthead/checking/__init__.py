"""Checks of an instance: how they run, what they find about its folders, what the start logs."""
