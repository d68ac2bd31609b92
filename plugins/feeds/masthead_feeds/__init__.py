"""Feeds, sitemap and robots.txt for Masthead, made from the enabled content types."""
