"""Files as responses: sent by the server, and cached by path."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import WSGIEnvironment
from wsgiref.util import FileWrapper

from masthead.http.environ import FILE

_PIECE = 256 * 1024


def send_file(environ: WSGIEnvironment, path: str) -> Iterable[bytes]:
    """Return a file as the body of a response.

    If the endpoint is cacheable and the response has an entity tag, the file is sent again without
    calling the view, until a table that the view has read changes.

    :param environ: the WSGI environ of the request.
    :raises OSError: if the file can't be read.
    """
    file = open(path, "rb")  # noqa: PTH123, SIM115 - the server closes it
    environ[FILE] = path
    wrapper: type[FileWrapper] = environ.get("wsgi.file_wrapper", FileWrapper)
    return wrapper(file, _PIECE)
