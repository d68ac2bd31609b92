"""From what staff wrote to the bytes that a relay takes."""
