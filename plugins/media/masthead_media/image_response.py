"""Answers with the bytes of an image: all of them, one range, or none (RFC 9110, 13 and 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any

from pyramid.response import Response

from masthead import NotFound, Request, send_file
from masthead_media.services.serving import StoredFile
from masthead_media.storage import Storage

_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Accept-Ranges": "bytes",
    # A browser that opens the address directly must run nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}
_CHUNK = 256 * 1024
# A single range with at least one number (RFC 9110, 14.1.2).
_RANGE = re.compile(r"bytes=(?!-\Z)([0-9]*)-([0-9]*)", re.ASCII | re.IGNORECASE)
_MAX_DIGITS = 18


def image_response(request: Request, storage: Storage, stored: StoredFile) -> Response:
    """Return the answer to a request for an image.

    :raises NotFound: if its bytes are missing.
    """
    response = Response(content_type=stored.media_type, charset=None)
    # A key is random and never used again, so it identifies the bytes.
    response.headers.update(_HEADERS, ETag=f'"{stored.key}"')
    if stored.temporary:
        response.headers["Cache-Control"] = "no-store"
    if stored.key in request.if_none_match:
        response.status_int = 304
        for name in ("Content-Type", "Content-Length"):
            del response.headers[name]
        return response
    span = _span(request, stored)
    if span is None:
        return _unsatisfiable(stored)
    start, end = span
    if end - start < stored.size:
        response.status_int = 206
        response.headers["Content-Range"] = f"bytes {start}-{end - 1}/{stored.size}"
    if request.method != "HEAD":
        response.app_iter = _body(request, storage, stored, start, end)
    response.content_length = end - start
    return response


def redirect_response(location: str, seconds: int) -> Response:
    """Return the answer that leads a client to the storage.

    :param seconds: the time for which it may be kept; 0 for not at all.
    """
    response = Response(status=302, location=location)
    del response.headers["Content-Type"]
    # A cache must not send it later than that, because the signature may be outdated then.
    lifetime = f"public, max-age={seconds}, must-revalidate" if seconds else "no-store"
    response.headers["Cache-Control"] = lifetime
    return response


def _span(request: Request, stored: StoredFile) -> tuple[int, int] | None:
    """Return start and end of the requested bytes, or None if the range can't be satisfied.

    Several ranges in one request are ignored, and so is a range of another version of the image.
    """
    span = 0, stored.size
    asked = _RANGE.fullmatch(request.headers.get("Range", "").strip(" \t"))
    version = request.headers.get("If-Range", f'"{stored.key}"')
    if asked is None or request.method != "GET" or version != f'"{stored.key}"':
        return span
    first, last = (_number(digits, stored.size) for digits in asked.groups())
    if first is None:
        # The last bytes: as many as requested, or all.
        span = stored.size - (last or 0), stored.size
    elif last is not None and _is_less(asked[2], asked[1]):
        return span
    else:
        span = first, stored.size if last is None else min(last + 1, stored.size)
    return span if span[0] < span[1] else None


def _number(digits: str, size: int) -> int | None:
    """Return a number from a header, at most ``size``; None if there are no digits."""
    if not digits:
        return None
    significant = digits.lstrip("0") or "0"
    return min(int(significant), size) if len(significant) <= _MAX_DIGITS else size


def _is_less(digits: str, others: str) -> bool:
    """Whether a number of any length is less than another one."""
    one, other = digits.lstrip("0"), others.lstrip("0")
    return (len(one), one) < (len(other), other)


def _unsatisfiable(stored: StoredFile) -> Response:
    error = {"error": f"The image has {stored.size} bytes"}
    response = Response(status=416, json_body=error, content_type="application/json", charset=None)
    response.headers["Content-Range"] = f"bytes */{stored.size}"
    response.headers["Cache-Control"] = "no-store"
    return response


def _body(request: Request, storage: Storage, stored: StoredFile, start: int, end: int) -> Any:
    is_whole = end - start == stored.size
    try:
        if storage.folder is None:
            return storage.iter_range(stored.key, *(() if is_whole else (start, end)))
        # Strings, here and below: joining them takes a tenth of the time of joining paths.
        path = f"{storage.folder}/{stored.key}"
        if is_whole and not stored.temporary:
            return send_file(request.environ, path)
        return _FileRange(open(path, "rb"), start, end)  # noqa: PTH123 - as above
    except FileNotFoundError:
        raise NotFound from None


class _FileRange:
    """A range of a file as the body of an answer, which the server closes."""

    def __init__(self, file: IO[bytes], start: int, end: int) -> None:
        self._file = file
        self._left = end - start
        file.seek(start)

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._file.read(min(_CHUNK, self._left)):
            self._left -= len(chunk)
            yield chunk

    def close(self) -> None:
        self._file.close()
