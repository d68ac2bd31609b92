"""The type of the request that views take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from pyramid.request import Request as PyramidRequest
from webob.multidict import MultiDict

from masthead.http.environ import READ_ROW, Row

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from masthead.auth.caller import Caller
    from masthead.http.paging import Window
    from masthead.http.revisions import Precondition
    from masthead.http.uploads import Upload
    from masthead.instance import Instance


class Request(PyramidRequest):  # type: ignore[misc] # Pyramid carries no types
    """Pyramid's request with the values that the endpoint's declaration defines."""

    db: Session
    """The session of the request's transaction; ``GET`` and ``HEAD`` can only read."""
    instance: Instance
    """The instance that serves the request."""
    identity: Caller
    """The authenticated caller. A public endpoint has none: there it is None."""
    matchdict: dict[str, Any]
    """The placeholders of the path by name; ``{id}`` and ``{…_id}`` are integers."""
    query: dict[str, Any]
    """The checked query parameters; parameters that were not sent are absent."""
    data: dict[str, Any]
    """The checked body, where the endpoint declares one; optional fields may be absent."""
    raw: bytes
    """The body as it was sent, where the endpoint declares ``raw_body``."""
    precondition: Precondition
    """The revision on which a ``PUT`` or ``DELETE`` is based. The view compares it with that of the
    locked item, or else the change is refused."""
    window: Window
    """The requested part of the list, where the endpoint declares a page."""
    upload: Upload
    """The file of the form, where the endpoint declares an upload; None for a form without one, if
    the endpoint doesn't require it."""

    def note_only_row(self, table: str, key: int | str) -> None:
        """Note that the response depends on no other row of a table.

        Shared caches then keep it while only other rows change.

        :param key: the value of the primary key.
        """
        self.environ[READ_ROW] = Row(table, key)

    @property
    def GET(self) -> MultiDict[str]:  # noqa: N802 - the name is WebOb's
        """The query parameters, which ``&`` separates.

        WebOb also splits at ``;``, unlike browsers and caches, so that a cache could keep the
        answer to other parameters (CVE-2021-23336).
        """
        parts = self.environ.get("QUERY_STRING", "").split("&")
        pairs = (part.partition("=") for part in parts if part)
        return MultiDict((_decoded(name), _decoded(value)) for name, _, value in pairs)


def _decoded(text: str) -> str:
    """Decode a part of a query, which the outermost layer has found to be UTF-8."""
    return unquote_to_bytes(text.replace("+", " ").encode("latin-1")).decode()
