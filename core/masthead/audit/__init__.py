"""The audit log: the actions of users, with their time and actor."""
