"""The organisation that the website belongs to: its name, language, time zone and contact."""
