"""The web server of ``masthead serve``: hardened waitress in one or several processes."""

from __future__ import annotations

from masthead.server.access_log import access_log
from masthead.server.options import Options
from masthead.server.serving import serve

__all__ = ["Options", "access_log", "serve"]
