"""Images for Masthead: uploaded by staff and visitors, freed of metadata, stored, served."""
