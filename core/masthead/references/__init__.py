"""References between items of content types and resources, which never import each other."""
