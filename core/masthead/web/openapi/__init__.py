"""The OpenAPI 3.1 document of an instance, generated from the declarations of its endpoints."""
