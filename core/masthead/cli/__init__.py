"""The command line: ``masthead`` and its commands."""
