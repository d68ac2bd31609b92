"""The change log: the changes of items, in the order of commits."""
