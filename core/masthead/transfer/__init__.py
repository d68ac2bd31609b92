"""Export of an instance into a folder, and import into an empty instance.

``tables.py`` determines the exported tables and columns from their declarations
(``masthead.db.exportable``); ``values.py`` converts values to JSON and back; ``folder.py`` and
``manifest.py`` define the contents of the folder; ``files.py`` the files that plugins keep outside
of the database. ``instance_export.py`` writes a folder; ``instance_import.py`` reads all of it or
nothing.

Plugins need no code for their tables. Data that isn't exported, such as the search index, is
created in the transaction of the import by implementations of ``masthead_imported``.
"""
