"""The kit in the database: the columns, indexes and link tables that its mixins add to tables.

They belong to core, not to the plugins whose tables have them. Numbered steps declare the additions
of each release. Every table that uses a mixin has a record of its current step.
"""
