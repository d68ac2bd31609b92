"""The WSGI application: router, cache, OpenAPI document and health checks."""
