"""Subscribers of the newsletter."""
