"""The services of the site plugin, one module per subject."""
