"""Dataclasses by which plugins exchange data without importing each other."""
