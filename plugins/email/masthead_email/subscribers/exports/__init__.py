"""Lists of subscribers as other newsletter tools export them.

``tools.py`` is the table of the tools: their columns about the status, and the meaning of each
value. ``known_columns.py`` adds the columns of tables that people make by hand, ``facts.py`` names
the columns about the consent, and ``vocabulary.py`` recognises further columns about the status.
``survey.py`` reads the header and the values of a file, ``layout.py`` decides by them which columns
count, and ``row_reader.py`` reads its rows.
"""
