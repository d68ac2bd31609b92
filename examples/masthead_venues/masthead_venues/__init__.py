"""Concerts for Masthead, which refer to venues and to the people who perform."""
