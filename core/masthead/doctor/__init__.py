"""``masthead doctor``: all checks of an instance in one table, each with its remedy."""
