"""The kinds of items that the caller may read, with their fields, for forms of any plugin."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from pyramid.response import Response

from masthead.http.endpoints import endpoint
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.web.conditional import known_tag
from masthead.web.kinds import schemas
from masthead.web.kinds.services import Kinds


@endpoint(
    "GET",
    "/api/staff/types",
    name="staff.types.list",
    permission=SIGNED_IN,
    returns=schemas.KINDS,
    refuses=frozenset({304}),
)
def list_kinds(request: Request) -> Any:
    """List the content types and resources that you may read.

    Each comes with its fields, the controls that suit them, its lists, and the operations that you
    may perform, so that a client can build forms for plugins that it doesn't know. The answer
    changes with a new release, with the settings and with your roles; send its `ETag` as
    `If-None-Match` to learn whether it has changed.
    """
    kinds = request.instance.shared(Kinds).readable(request.db, request.identity)
    answer = dump_json(schemas.KINDS.dump(kinds))
    tag = blake2b(answer, digest_size=16).hexdigest()
    if known_tag(request.environ, [tag], None):
        return Response(status=304, etag=tag, content_type=None)
    request.response.etag = tag
    return answer
