"""Mail for other plugins: sending it, and the mail history of a person."""
