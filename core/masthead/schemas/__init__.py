"""Values on the wire: field types, schemas and the fields of models."""
