"""The four formats of images: what a file is made of, and what of it is worth keeping."""
