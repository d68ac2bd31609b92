"""The kit for content types: declare one, and it gets everything that content needs."""
