"""The approval workflow, without which no content becomes public."""
