"""Feeds, sitemap and robots.txt for Masthead, from whatever content types are enabled."""
