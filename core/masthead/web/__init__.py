"""The assembled application: router, cache, OpenAPI document, health, addresses."""
