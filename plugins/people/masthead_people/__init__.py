"""The people of an organisation, for Masthead: staff edit them, the public reads them."""
