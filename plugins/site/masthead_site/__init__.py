"""The frame of a website, for Masthead: navigation, pages, texts, static images, contact form."""
