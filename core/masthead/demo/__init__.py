"""The demo: example content of a small fictional organisation for an empty instance."""
