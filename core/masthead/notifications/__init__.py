"""Notifications, which users read in the product."""
