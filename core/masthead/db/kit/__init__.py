"""The kit in the database: the columns, indexes and link tables that its mixins bring.

They belong to core, not to the plugins whose tables have them. Numbered steps say what each
release added; every table that uses a mixin has a record of the step that it is at.
"""
