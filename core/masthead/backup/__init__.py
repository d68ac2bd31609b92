"""Backup of a running instance into one file, and restore into an empty place.

``archive.py`` writes and reads the file, ``manifest.py`` describes its contents. ``sqlite.py`` and
``postgresql.py`` copy a database; ``writing.py`` makes a backup and ``restoring.py`` restores one.
``folder.py`` has the files that backups in one folder share, and deletes old backups.

A backup leaves out the one row of ``core_backup``, so a restored database tells that its restore
isn't finished; ``finishing.py`` ends tokens and pauses mail before anything uses the database.
"""
