"""The commands of dev.py that need libraries, and the check of the English."""
