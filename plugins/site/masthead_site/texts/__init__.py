"""The texts of mails to staff: templates, and their translations."""
