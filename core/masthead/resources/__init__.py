"""The kit for resources: items that staff keep and that need no approval, such as people and pages.

``declaration.py`` is the declaration. Its staff endpoints are in ``staff_views.py``, on the base
that content types use too (``crud.py``); ``services.py`` saves items. Its public endpoints are in
``public_views.py``.
"""
