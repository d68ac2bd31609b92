"""The texts of mails about API tokens: templates, and their translations."""
