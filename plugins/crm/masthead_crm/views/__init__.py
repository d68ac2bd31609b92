"""The endpoints beyond those of the resources."""
