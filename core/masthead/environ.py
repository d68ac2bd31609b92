"""Keys of the WSGI environ under which the layers tell each other something of a request."""

from __future__ import annotations

REQUEST_ID = "masthead.request_id"
"""The request's id, as ``X-Request-Id`` and logs show it."""
USER = "masthead.user"
"""The username of who asks, once a token has said so."""
LOGGED_PATH = "masthead.logged_path"
"""What stands in logs for a path that holds a secret."""
