"""The kit for content types: tables, endpoints, approval, tags and search from one declaration.

``contenttype.py`` is the declaration. A save goes through ``staff_views.py`` to ``services.py``,
which decides which values change live and which are staged (``staging.py``), links the tags
(``taglinks.py``) and updates the search index (``masthead.search``). When SQLAlchemy flushes the
item, ``ordering.py`` sets its position in lists, ``list_json.py`` invalidates its JSON in lists,
which is generated again before the commit, and ``unpublished.py`` notices whether the public stops
seeing it. The public reads content through ``public_reading.py``, ``public_search.py`` and
``public_reader.py``, always by the predicate of ``visibility.py``.
"""
