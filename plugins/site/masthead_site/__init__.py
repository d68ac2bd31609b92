"""The frame of a website for Masthead: navigation, pages, about, static images, contact form."""
