"""Revisions of items as ETags, and the check for concurrent changes."""

from __future__ import annotations

import re
from typing import Any

from masthead.errors import CHANGED, Problem, ProblemCode, Refused, Stale

CHANGING = ("PUT", "DELETE")
"""The methods of requests that may name the revision on which they are based."""
ETAG = "etag"
"""The member of a body with the revision."""
_NUMBER = re.compile("[0-9]{1,18}")
_NO_REVISION = "This has no revision to compare"


class Precondition:
    """The revision on which a client bases a change (RFC 9110 section 13.1.1).

    The client sends it in ``If-Match`` or as ``etag`` in the body; the latter is for clients that
    can't send this header.

    :param header: the header; None if it is absent.
    :param member: the member of the body; None if it is absent.
    """

    def __init__(self, header: str | None = None, member: str | None = None) -> None:
        # "*" is met by any item.
        self._header = None if header is None or header.strip() == "*" else header
        self._member = member
        self._compared = False

    @property
    def named(self) -> int | None:
        """The revision that the client names; None if it is no number, or if it names several."""
        texts = [] if self._header is None else self._header.split(",")
        texts += [] if self._member is None else [self._member]
        names = {plain_etag(each) for each in texts}
        name = names.pop() if len(names) == 1 else ""
        return int(name) if _NUMBER.fullmatch(name) else None

    def check(self, revision: int) -> None:
        """Refuse a change that is based on another revision than that of the locked item.

        :raises Stale: if ``If-Match`` names only other revisions.
        :raises Refused: if ``etag`` in the body is another revision.
        """
        self._compared = True
        # Proxies that compress make strong ETags weak; they still name the same revision.
        if self._header is not None:
            named = {plain_etag(each) for each in self._header.split(",")}
            if str(revision) not in named:
                raise Stale
        if self._member is not None and plain_etag(self._member) != str(revision):
            raise _refusal(CHANGED)

    def require_comparison(self) -> None:
        """Refuse a change whose revision was not compared, as the item may have changed.

        :raises Stale: if ``If-Match`` was not compared.
        :raises Refused: if ``etag`` in the body was not compared.
        """
        if self._compared:
            return
        if self._header is not None:
            raise Stale(_NO_REVISION)
        if self._member is not None:
            raise _refusal(_NO_REVISION)


ANY_REVISION = Precondition()
"""The precondition of a change that is not a client's, which every revision meets."""


def tag_response(request: Any, revision: int) -> None:
    """Set the ETag of the response to the revision of the item."""
    request.response.etag = str(revision)


def plain_etag(text: str) -> str:
    """Return an ETag without quotes and weakness mark."""
    return text.strip().removeprefix("W/").strip('"')


def _refusal(message: str) -> Refused:
    return Refused(f"{ETAG}: {message}", Problem(ETAG, ProblemCode.CHANGED, message))
