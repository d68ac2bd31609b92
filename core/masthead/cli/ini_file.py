"""The configuration file that ``masthead settings --ini`` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from masthead.settings import Setting, as_ini
from masthead.telemetry.log_formats import TEXT_FORMAT

_APP = """\
# All settings of Masthead with their defaults, written by "masthead settings --ini".
# To change a setting, remove the "#" before it. Environment variables override this file:
# MASTHEAD_DATABASE_URL sets masthead.database.url, and so on. %(here)s is the folder of this file;
# write a percent sign twice.

[app:main]
use = egg:masthead-core

"""
_REST = """\

# The server of pserve; "masthead serve" uses the settings masthead.server.* instead.
[server:main]
use = egg:waitress#main
listen = 127.0.0.1:6543
threads = 8
# Blank: omit the Server header.
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

# Alembic logs the type of the database whenever it connects.
[logger_alembic]
level = WARNING
handlers =
qualname = alembic

[handler_stderr]
class = masthead.server.log_handler.LogHandler
args = (sys.stderr,)
formatter = plain

[formatter_plain]
class = masthead.telemetry.log_formats.TextFormatter
"""


def ini_file(declared: Iterable[Setting[Any]]) -> str:
    """Return a complete configuration file in which all settings are commented out."""
    # In comments, percent signs of defaults need no escaping.
    return f"{_APP}{as_ini(declared)}{_REST}format = {TEXT_FORMAT}\n"
