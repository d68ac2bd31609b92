"""The content types and resources of an instance, described for clients that build forms."""
