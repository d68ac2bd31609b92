"""Texts for readers: their language, the catalogues of translations, and the templates.

A plugin names the package of its texts (``Plugin.texts``), which has a folder ``templates`` and a
folder ``translations``. A deployer replaces each file by one of the same name in the folder of
``masthead.texts``.
"""
