"""What the layers tell each other of a request, by a call or by keys of the WSGI environ."""

from __future__ import annotations

from collections.abc import Callable

ImmediateAnswer = Callable[[str, str, str], object]
"""Gets a request's method, path and query; returns what its application can answer it with at
once, waiting for nothing, or None. The server calls it, see ``masthead.server.http``."""

REQUEST_ID = "masthead.request_id"
"""The request's id, as ``X-Request-Id`` and logs show it."""
USER = "masthead.user"
"""The username of who asks, once a token has said so."""
IMMEDIATE_ANSWER = "masthead.immediate_answer"
"""What ``ImmediateAnswer`` returned for the request; absent where it was None or nobody asked."""
FILE = "masthead.file"
"""The path of the file that the answer's body is."""
CACHE_KEY = "masthead.cache_key"
"""Says that the answer may be cached, and as what."""
TOTALS = "masthead.totals"
"""The counts of rows that hold at the time of the request, see ``masthead.http.paging``."""
