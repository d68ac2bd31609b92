"""The history of the webhooks tables."""
