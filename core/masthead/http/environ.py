"""The keys of the WSGI environ, and the call, by which the layers exchange data of a request."""

from __future__ import annotations

from collections.abc import Callable

ImmediateAnswer = Callable[[str, str, str], object]
"""Takes the method, path and query of a request; returns a response that the application can send
without waiting, or None. The server calls it, see ``masthead.server.http``."""

REQUEST_ID = "masthead.request_id"
"""The id of the request, as in ``X-Request-Id`` and the logs."""
USER = "masthead.user"
"""The username of the caller, once the token is verified."""
IMMEDIATE_ANSWER = "masthead.immediate_answer"
"""The result of ``ImmediateAnswer`` for the request; absent if it was None or not called."""
FILE = "masthead.file"
"""The path of the file that is the body of the response."""
CACHE_KEY = "masthead.cache_key"
"""The cache key of the response; absent if it may not be cached."""
TOTALS = "masthead.totals"
"""The counts of rows that are valid during the request, see ``masthead.http.paging``."""
