"""The endpoints of the site plugin, one module per subject."""
