"""Files as answers: sent by the server's own means, and found again without asking the view."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import WSGIEnvironment
from wsgiref.util import FileWrapper

from masthead.http.environ import FILE

_PIECE = 256 * 1024


def send_file(environ: WSGIEnvironment, path: str) -> Iterable[bytes]:
    """A whole file as the body of an answer.

    Where its endpoint says that it may be kept and the answer has an entity tag, the file is sent
    again without asking the view, until something is written to the database.

    :param environ: the request's.
    :raises OSError: where it can't be read.
    """
    file = open(path, "rb")  # noqa: PTH123, SIM115 - the server closes it
    environ[FILE] = path
    wrapper: type[FileWrapper] = environ.get("wsgi.file_wrapper", FileWrapper)
    return wrapper(file, _PIECE)
