"""Posts of HTML forms, which browsers send without JavaScript to endpoints that also take JSON."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import colander
import orjson
from multipart import MultipartError, parse_form_data, parse_options_header
from pyramid.response import Response

from masthead.errors import Invalid, ProblemCode, wrong_field
from masthead.http.request import Request
from masthead.schemas.schema import ListOf, Nullable

FormAnswer = Callable[[Request, int, Mapping[str, Any]], Response]
"""Takes the request, and the status and the object of the JSON response to the post of a form, and
returns the response for the browser."""

MEDIA_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
_KEPT = ("Retry-After",)


def read_fields(
    request: Request, body: bytes, node: colander.SchemaNode, answer: FormAnswer
) -> dict[str, Any] | None:
    """Return the fields of the post of a form as JSON values; None for a body that is no such post.

    Programs may send JSON with the media type of a form, as curl does, so a post is a body with a
    declared field. From then on ``answer`` makes the response, also to a refusal.

    :param node: the declared fields. Blank optional fields are as if absent.
    :raises Invalid: for a file, and a field that is repeated and no list.
    """
    media_type = parse_options_header(request.headers.get("Content-Type", ""))[0]
    if media_type not in MEDIA_TYPES or body.lstrip()[:1] == b"{":
        return None
    environ = {
        "CONTENT_TYPE": request.headers["Content-Type"],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    most = len(body) + 1
    try:
        texts, files = parse_form_data(environ, strict=True, memory_limit=most, memfile_limit=most)
    except (MultipartError, UnicodeError):
        return None
    for _, part in files.iterallitems():
        part.close()
    known = [child for child in node.children if child.name in texts]
    if not known:
        return None
    request.add_response_callback(lambda done, response: _turn(done, response, answer))
    if files:
        raise Invalid("This form takes no file")
    values = {child.name: _value(child, texts.getall(child.name)) for child in known}
    return {name: value for name, value in values.items() if value not in ("", [])}


def _value(child: colander.SchemaNode, texts: Sequence[str]) -> Any:
    """Return the JSON value of a field that was sent once or, if it is a list, several times."""
    kind = child.typ
    while isinstance(kind, Nullable):
        kind = kind.inner
    # Browsers send the line ends of a text area as CRLF.
    sent = [text.replace("\r\n", "\n") for text in texts]
    if isinstance(kind, ListOf):
        return [kind.inner.read(text) for text in sent if text.strip()]
    if len(sent) > 1:
        raise wrong_field(child.name, ProblemCode.REPEATED, "Sent more than once")
    return kind.read(sent[0]) if sent[0].strip() else ""


def _turn(request: Request, response: Response, answer: FormAnswer) -> None:
    """Turn a JSON response into the one for the browser."""
    made = answer(request, response.status_int, orjson.loads(response.body))
    for name in _KEPT:
        if name in response.headers:
            made.headers[name] = response.headers[name]
    response.status, response.headerlist = made.status, made.headerlist
    response.app_iter = made.app_iter
