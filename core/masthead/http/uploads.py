"""File uploads: multipart/form-data (RFC 7578), read piece by piece into a temporary file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO

from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header
from webob.request import DisconnectionError

from masthead.errors import Invalid, ProblemCode, wrong_field
from masthead.file_kinds import kind_of_file
from masthead.http.request import Request
from masthead.settings import Setting

MISSING = "No file provided"
BROKEN = "The body is broken off, or is no multipart/form-data"
MAX_PARTS = 20
MAX_TEXT = 64 * 1024
"""The maximum number of bytes in a field that isn't the file."""
_PIECE = 256 * 1024
_IN_MEMORY = 64 * 1024  # bytes of a file; larger ones are stored on disk


@dataclass(frozen=True)
class FileField:
    """Declares the file that an endpoint accepts, whose body is multipart/form-data.

    The endpoint's ``body`` declares the other fields of the form.
    """

    max_bytes: Setting[int] | int
    """The maximum number of bytes in the whole body, or the setting with it."""
    name: str = "file"
    accepts: tuple[str, ...] = ()
    """The media types in the OpenAPI document; ``begins`` or the view checks the file itself."""
    begins: tuple[bytes, ...] = ()
    """The bytes with which files of these types begin, such as ``b"%PDF-"``; a file that begins
    with none of them is refused. Empty for any file."""
    required: bool = True
    """Whether a form without a file is refused; otherwise ``request.upload`` is None for one."""


@dataclass
class Upload:
    """A file from a client; name and media type are as the client sent them, unchecked."""

    file: IO[bytes]
    """The open file, at its start; closed when the request ends."""
    filename: str
    media_type: str
    size: int = 0
    """In bytes."""

    def digest(self) -> str:
        """Return the SHA-256 of the file, which stays at its start."""
        found = hashlib.sha256()
        while piece := self.file.read(_PIECE):
            found.update(piece)
        self.file.seek(0)
        return found.hexdigest()


class _Form:
    """The parts of a form that have been read."""

    def __init__(self, field: FileField) -> None:
        self._field = field
        self._name = ""
        self._is_file = False
        self.upload: Upload | None = None
        self.texts: dict[str, bytearray] = {}

    def begin(self, part: MultipartSegment) -> None:
        """Start a part; browsers send an empty file name if no file was chosen."""
        self._name = _decoded(part.name)
        self._is_file = self._name == self._field.name and bool(part.filename)
        if self._is_file:
            if self.upload is not None:
                raise wrong_field(
                    self._field.name, ProblemCode.TOO_MANY, "More than one file", limit=1
                )
            # Closed at the end of the request, or when reading the form fails.
            file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
            self.upload = Upload(file, _decoded(part.filename), part.content_type or "")
        elif self._name in self.texts:
            raise Invalid("The form has a field twice")
        else:
            self.texts[self._name] = bytearray()

    def take(self, piece: bytes) -> None:
        """Add bytes to the current part."""
        if self._is_file:
            assert self.upload is not None
            self.upload.file.write(piece)
            self.upload.size += len(piece)
            return
        text = self.texts[self._name]
        if len(text) + len(piece) > MAX_TEXT:
            raise Invalid(f"A field of the form has more than {MAX_TEXT} bytes")
        text += piece

    def finish(self) -> tuple[Upload | None, dict[str, str]]:
        """Return the file and the other fields of a completely read form."""
        if self.upload is not None:
            self.upload.file.seek(0)
            self._check_begin(self.upload.file)
        elif self._field.required or self.texts.get(self._field.name):
            # A text in the place of the file must not be lost.
            raise no_file(self._field)
        try:
            return self.upload, {name: text.decode() for name, text in self.texts.items()}
        except UnicodeDecodeError:
            raise Invalid("A field of the form is not UTF-8") from None

    def _check_begin(self, file: IO[bytes]) -> None:
        """Refuse a file of another type, and leave it at its start."""
        if begins := self._field.begins:
            found = file.read(max(map(len, begins)))
            file.seek(0)
            if not found.startswith(begins):
                known = [kind for begin in begins if (kind := kind_of_file(begin))]
                wanted = known if len(known) == len(begins) else self._field.accepts
                message = f"Must be {' or '.join(dict.fromkeys(wanted))}"
                raise wrong_field(self._field.name, ProblemCode.WRONG_FORM, message)

    def close(self) -> None:
        """Close the file."""
        if self.upload is not None:
            self.upload.file.close()


def read_upload(
    request: Request, field: FileField, max_bytes: int
) -> tuple[Upload | None, dict[str, str]]:
    """Read a form with one file, a small piece at a time.

    :param max_bytes: the maximum number of bytes in the body.
    :returns: the file, which the caller closes, and the other fields of the form by name. The file
        is None if there is none, and none is required.
    :raises Invalid: if a required file is missing, there is more than one, a field is repeated or
        isn't UTF-8, or the body is too long, incomplete or no such form.
    """
    form = _Form(field)
    try:
        _read_parts(request, field, form, max_bytes)
        return form.finish()
    except BaseException:
        form.close()
        raise


def check_length(request: Request, max_bytes: int) -> None:
    """Check the announced size of the body.

    :raises Invalid: if it is too large.
    """
    if (request.content_length or 0) > max_bytes:
        raise Invalid(f"The body has more than {max_bytes} bytes")


def no_file(field: FileField) -> Invalid:
    """Return the refusal of a form without a file."""
    return wrong_field(field.name, ProblemCode.REQUIRED, MISSING, named=False)


def _read_parts(request: Request, field: FileField, form: _Form, max_bytes: int) -> None:
    media_type, options = parse_options_header(request.headers.get("Content-Type", ""))
    if media_type != "multipart/form-data":
        raise no_file(field) if field.required else Invalid(BROKEN)
    try:
        # Any file name can be decoded as Latin-1.
        parser = PushMultipartParser(
            options.get("boundary", ""), max_segment_count=MAX_PARTS, header_charset="latin-1"
        )
        with parser:
            for piece in _pieces(request, max_bytes):
                for event in parser.parse(piece):
                    if isinstance(event, MultipartSegment):
                        form.begin(event)
                    elif event is not None:
                        form.take(event)
    except (MultipartError, DisconnectionError):
        raise Invalid(BROKEN) from None


def _pieces(request: Request, max_bytes: int) -> Iterator[bytes]:
    # Servers convert a chunked body (RFC 9112 section 7.1) to one of known length.
    check_length(request, max_bytes)
    left: int = request.content_length or 0
    while piece := request.body_file.read(min(_PIECE, left)):
        left -= len(piece)
        yield piece
    if left:
        raise Invalid(BROKEN)


def _decoded(text: str | None) -> str:
    """Decode UTF-8 text that was decoded as Latin-1 before."""
    return (text or "").encode("latin-1").decode("utf-8", "replace")
