"""Images for Masthead: uploaded by staff and visitors, stripped of metadata, stored and served."""
