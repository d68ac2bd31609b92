"""Purging of the caches in front of Masthead: Fastly, Cloudflare and Varnish."""
