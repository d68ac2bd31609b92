"""The history of the cdn tables."""
