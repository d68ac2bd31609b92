"""Letting staff back in who forgot their password."""
