"""The pages and mails for readers: templates, and their translations."""
