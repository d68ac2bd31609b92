"""Answers with the bytes of an image: all of them, one range, or none (RFC 9110, 13 and 14)."""

from __future__ import annotations

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


def _span(request: Request, stored: StoredFile) -> tuple[int, int] | None:
    """Return start and end of the requested bytes, or None if the range can't be satisfied.

    Several ranges in one request are ignored, and so is a range of another version of the image.
    """
    asked = request.range
    is_single = request.method == "GET" and asked and "," not in request.headers["Range"]
    if not is_single or request.headers.get("If-Range", f'"{stored.key}"') != f'"{stored.key}"':
        return 0, stored.size
    span: tuple[int, int] | None = asked.range_for_length(stored.size)
    return span


def _unsatisfiable(stored: StoredFile) -> Response:
    error = {"error": f"The image has {stored.size} bytes"}
    response = Response(status=416, json_body=error, content_type="application/json", charset=None)
    response.headers["Content-Range"] = f"bytes */{stored.size}"
    response.headers["Cache-Control"] = "no-store"
    return response


def _body(request: Request, storage: Storage, stored: StoredFile, start: int, end: int) -> Any:
    try:
        if storage.folder is None:
            return storage.iter_range(stored.key, start, end)
        # Strings, here and below: joining them takes a tenth of the time of joining paths.
        path = f"{storage.folder}/{stored.key}"
        if end - start == stored.size and not stored.temporary:
            return send_file(request.environ, path)
        return _FileRange(open(path, "rb"), start, end)  # noqa: PTH123
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
