"""An instance that moves: exported into a folder, imported into an empty instance.

``tables.py`` says which tables and columns travel, by what their declarations say
(``masthead.db.exportable``); ``values.py`` how a value becomes JSON and comes back; ``folder.py``
and ``manifest.py`` what lies in the folder; ``files.py`` what plugins keep outside of the database.
``exporting.py`` writes a folder, ``importing.py`` reads one, wholly or not at all.

No plugin writes code for its tables. What doesn't travel is made in the import's transaction by
who implements ``masthead_imported``: the search index, for example.
"""
