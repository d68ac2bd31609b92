"""The keys of the WSGI environ, and the call, by which the layers exchange data of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

ImmediateAnswer = Callable[[str, str, str, str], object]
"""Takes the method, path, query and ``Accept-Encoding`` of a request; returns a response that the
application can send without waiting, or None. The server calls it, see ``masthead.server.http``."""


class Handling(NamedTuple):
    """The way in which the server handles a request."""

    pool: str
    """The pool whose threads answer it, see ``masthead.http.pools``."""
    max_body: int
    """The maximum number of bytes in its body."""


HandlingOf = Callable[[str, str, str], Handling]
"""Takes the method, path and query of a request, and returns without waiting. The server calls it
in its main thread."""


class Row(NamedTuple):
    """One row of a table."""

    table: str
    key: int | str
    """The value of its primary key."""


class Connection(Protocol):
    """The connection of a response that stays open; any thread may call it."""

    def send(self, data: bytes) -> None:
        """Send a further part of the body soon."""

    def end(self) -> None:
        """End the response, and close the connection."""


class Held(Protocol):
    """A response whose end is still open when the application has returned it."""

    def opened(self, connection: Connection) -> None:
        """Take the connection, once the first part of the body is sent."""

    def closed(self) -> None:
        """Forget the connection, because the client or the server has closed it."""


Hold = Callable[[Held], None]

HOLD = "masthead.hold"
"""A ``Hold``, with which the application keeps the connection open after its response, which has no
``Content-Length``. The server calls the ``Held`` in its main thread, so that no thread waits with
the response. Absent under servers that can't."""
HEAD_ONLY = "masthead.head_only"
"""Present while the server asks whether to receive the body: the application answers the request
by its head, with ``100 Continue`` if it wants the body."""

REQUEST_ID = "masthead.request_id"
"""The id of the request, as in ``X-Request-Id`` and the logs."""
USER = "masthead.user"
"""The username of the caller, once the token is verified."""
USER_ID = "masthead.user_id"
"""The id of the caller, once the token is verified."""
ROUTE = "masthead.route"
"""The name of the endpoint, once it is known."""
IMMEDIATE_ANSWER = "masthead.immediate_answer"
"""The result of ``ImmediateAnswer`` for the request; absent if it was None or not called."""
FILE = "masthead.file"
"""The path of the file that is the body of the response."""
CACHE_KEY = "masthead.cache_key"
"""The cache key of the response; absent if it may not be cached."""
CONTENT_VERSION = "masthead.content_version"
"""The content version for which the answer is cached; blank if the database doesn't tell it, absent
if the answer isn't cached."""
READ_TABLES = "masthead.read_tables"
"""The names of the tables that the response depends on, once a router has made it; None if they
aren't known. A response from the cache has them, too."""
READ_ROW = "masthead.read_row"
"""A :class:`Row`, if the response depends on no other row of its table."""
VALID_UNTIL = "masthead.valid_until"
"""The time of the next visibility change, or None, of a response that is valid now."""
TOTALS = "masthead.totals"
"""The counts of rows that are valid during the request, see ``masthead.http.paging``."""
