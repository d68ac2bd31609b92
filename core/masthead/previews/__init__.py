"""Previews: links that show an item as the public would see it after its approval."""
