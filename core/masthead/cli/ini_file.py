"""The configuration file that ``masthead settings --ini`` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from masthead.settings import Setting, as_ini

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_APP = """\
# Every setting of Masthead with its default, written by "masthead settings --ini".
# To change one, remove the "#" before it. An environment variable goes before this file:
# MASTHEAD_DATABASE_URL sets masthead.database.url, and so on. %(here)s stands for the folder of
# this file; a percent sign is written twice.

[app:main]
use = egg:masthead-core

"""
_REST = """\

# What pserve listens with; "masthead serve" has the settings masthead.server.* above.
[server:main]
use = egg:waitress#main
listen = 127.0.0.1:6543
threads = 8
# Blank, so that no answer names the server.
ident =

[loggers]
keys = root, alembic

[handlers]
keys = stderr

[formatters]
keys = plain

[logger_root]
level = INFO
handlers = stderr

# It would say at each look at a database what kind of database it is.
[logger_alembic]
level = WARNING
handlers =
qualname = alembic

[handler_stderr]
class = masthead.server.log_handler.LogHandler
args = (sys.stderr,)
formatter = plain

[formatter_plain]
"""


def ini_file(declared: Iterable[Setting[Any]]) -> str:
    """A whole configuration file in which every setting stands, commented out, with its default."""
    # The settings are comments, so that a percent sign among their defaults does no harm.
    return f"{_APP}{as_ini(declared)}{_REST}format = {LOG_FORMAT}\n"
