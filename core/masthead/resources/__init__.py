"""The kit for what staff keep without approval, such as people, pages and messages.

``declaration.py`` is the declaration, from which come the routes in ``views.py``. A save goes from
there to ``services.py``.
"""
