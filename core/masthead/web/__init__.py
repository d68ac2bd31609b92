"""The WSGI application: router, cache, OpenAPI document, health checks and addresses."""
