"""The kit for content types: declare one, and it gets everything that content needs.

``contenttype.py`` is the declaration. A save goes through ``staff_views.py`` to ``services.py``,
which decides what is changed live and what is kept beside it (``staging.py``), links tags
(``taglinks.py``) and lets the item be found by its words (``masthead.search``). As SQLAlchemy
flushes the item, ``ordering.py`` moves it to its place in lists and ``listing.py`` empties its
listing, which is made anew before the commit; ``withdrawals.py`` notices what the public sees no
longer. What the public reads comes from ``public_reading.py``, ``public_search.py`` and
``outlets.py``, always by the predicate of ``visibility.py``.
"""
