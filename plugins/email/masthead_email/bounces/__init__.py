"""Bounces: delivery status reports, and the suppressions that result from them."""
