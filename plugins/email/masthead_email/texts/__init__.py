"""The texts of the plugin for readers: templates of pages and mails, and translations."""
