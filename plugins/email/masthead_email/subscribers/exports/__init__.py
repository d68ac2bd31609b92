"""Lists of subscribers as other newsletter tools export them.

``tools.py`` is the table of the tools: their columns about the status, and the meaning of each
value. ``facts.py`` names the columns about the consent, and ``vocabulary.py`` recognises columns
about the status that no tool of the table has. ``survey.py`` reads the header and the values of a
file, ``layout.py`` decides by them which columns count, and ``row_reader.py`` reads its rows.
"""
