"""The endpoints beyond those that resources have."""
