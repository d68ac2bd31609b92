"""Responses that clients store as files: exports that are written, and stored files."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import IO, TextIO, cast
from urllib.parse import quote

from pyramid.response import FileIter, Response

_IN_MEMORY = 1024 * 1024
"""The number of bytes up to which a file is kept in memory."""


class _ClosedAtEnd(FileIter):  # type: ignore[misc]  # Pyramid has no type hints
    """A file as the body of a response; not every WSGI server closes bodies."""

    def __next__(self) -> bytes:
        try:
            return bytes(super().__next__())
        except StopIteration:
            self.close()
            raise


def text_download(name: str, media_type: str, write: Callable[[TextIO], None]) -> Response:
    """Return a response that clients store as a file.

    :param name: the name of the file, such as ``contacts.csv``.
    :param media_type: such as ``text/csv``; the file is in UTF-8.
    :param write: writes the text to a file.
    """
    # The response closes the file, at the latest when it has been read.
    file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
    text = io.TextIOWrapper(cast("IO[bytes]", file), encoding="utf-8", newline="")
    write(text)
    text.detach()
    length = file.tell()
    file.seek(0)
    response = Response(content_type=media_type, charset="UTF-8", app_iter=_ClosedAtEnd(file))
    response.content_length = length
    response.content_disposition = f'attachment; filename="{name}"'
    return response


def file_download(content: bytes, media_type: str, name: str) -> Response:
    """Return a response with the bytes of a file, which browsers store and never show as a page.

    :param media_type: such as ``application/pdf``.
    :param name: the name of the file in any script; a path before it is left out.
    """
    response = Response(content, content_type=media_type, charset=None)
    # Browsers read the first name if they don't know the second one (RFC 6266).
    base = re.split(r"[/\\]", name)[-1]
    plain = re.sub(r'[^ -~]|["\\%]', "_", base)
    exact = quote(base, safe="")
    response.headers["Content-Disposition"] = (
        f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"
    )
    return response
