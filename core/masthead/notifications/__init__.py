"""What users are told inside the product."""
