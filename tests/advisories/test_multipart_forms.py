"""Reports about parsers of multipart/form-data, attacked by the public upload of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client

SUBMIT = "/api/ycs/upload/image"
FORM = "multipart/form-data; boundary=B"
FILE = b'--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'


def post(client: Client, body: bytes, kind: str = FORM, status: int = 400) -> Any:
    """Send a form as it is, and return the error."""
    return client.post(SUBMIT, body, {"Content-Type": kind}, status=status).json.get("error")


def field(name: bytes, value: bytes = b"") -> bytes:
    """Return a field of a form."""
    return b'--B\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name, value)


@pytest.mark.parametrize(
    "kind",
    [
        "multipart/form-data; boundary=" + '"' + "\\" * 8_000,
        "multipart/form-data; " + "a=" * 8_000,
        "multipart/form-data; a=" + '"' * 8_001 + "; boundary=B",
        "multipart/form-data;" + " ; " * 8_000,
        'multipart/form-data; !="' + '\\"' * 8_000,
    ],
    ids=["backslashes", "equals", "quotes", "semicolons", "escapes"],
)
def test_cve_2024_24762_content_type_is_parsed_in_linear_time(app: Client, kind: str) -> None:
    """CVE-2024-24762 (python-multipart): a pattern for Content-Type took exponential time."""
    post(app, b"--B--", kind)


@pytest.mark.parametrize("text", [b"\\" * 4_000, b'"' * 3_000, b"a=" * 2_000, b"; ;" * 1_300])
def test_cve_2026_28356_part_headers_are_parsed_in_linear_time(app: Client, text: bytes) -> None:
    """CVE-2026-28356 (multipart): a pattern for options of headers took exponential time."""
    post(app, b"--B\r\nContent-Disposition: form-data; name=" + text + b"\r\n\r\n\r\n--B--")


@pytest.mark.parametrize("number", [21, 5_000])
def test_cve_2023_25577_the_number_of_parts_is_limited(app: Client, number: int) -> None:
    """CVE-2023-25577 (Werkzeug), CVE-2023-24998 (Commons FileUpload): forms had too many parts."""
    fields = b"".join(field(b"%d" % n) for n in range(number))

    post(app, fields + b"--B--")


def test_cve_2023_24580_one_file_only(app: Client, picture: Callable[..., bytes]) -> None:
    """CVE-2023-24580 (Django): a form of very many files opened too many files."""
    files = (FILE + picture() + b"\r\n") * 15

    assert post(app, files + b"--B--") == "file: More than one file"


def test_cve_2024_47874_fields_without_a_file_name_are_small(app: Client) -> None:
    """CVE-2024-47874 (Starlette): text fields of any size were kept in memory."""
    error = post(app, field(b"a", b"x" * 100_000) + b"--B--")

    assert error == "A field of the form has more than 65536 bytes"


def test_cve_2023_30798_repeated_fields_are_refused(app: Client) -> None:
    """CVE-2023-30798 (Starlette): the number of fields had no limit."""
    assert post(app, field(b"a") * 2 + b"--B--") == "The form has a field twice"


@pytest.mark.parametrize("piece", [b"\r", b"\n", b"\r\n", b"\r\n-", b"\r\n--", b"\r\n--B\r"])
def test_cve_2023_46136_line_ends_in_a_file_are_cheap(app: Client, piece: bytes) -> None:
    """CVE-2023-46136 (Werkzeug): a file of line ends was searched again for each chunk."""
    post(app, FILE + piece * (1_000_000 // len(piece)) + b"\r\n--B--")


def test_cve_2024_53981_text_around_the_form_is_cheap(app: Client) -> None:
    """CVE-2024-53981 (python-multipart): each byte around the form wrote a line of the log."""
    for noise in (b"\r\n" * 100_000, b"--" * 100_000, b"x" * 200_000):
        post(app, noise + field(b"a") + b"--B--")
        post(app, field(b"a") + b"--B--\r\n" + noise)


@pytest.mark.parametrize("size", [70, 71, 4_091, 4_096, 9_000])
def test_cve_2014_0050_long_boundaries_end(app: Client, size: int) -> None:
    """CVE-2014-0050 (Commons FileUpload): a boundary longer than the buffer never ended."""
    boundary = "B" * size

    post(app, b"--" + boundary.encode(), f"multipart/form-data; boundary={boundary}")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--B",
        b"--B\r\n",
        FILE,
        FILE[:-2],
        b"--B\r\nContent-Transfer-Encoding: base64\r\n" + FILE[5:] + b"=\r\n--B--",
        b"--B\r\n\r\n\r\n--B--",
        b"--C\r\n\r\n\r\n--C--",
    ],
)
def test_cve_2022_23833_broken_forms_end(app: Client, body: bytes) -> None:
    """CVE-2022-23833 (Django): some inputs of the parser for forms looped forever."""
    post(app, body)


@pytest.mark.parametrize("boundary", ["", '""', "'", "é", "\0"])
def test_rfc_2046_unusable_boundaries_are_refused(app: Client, boundary: str) -> None:
    """RFC 2046, section 5.1.1: parsers disagree about boundaries that aren't allowed."""
    kind = f"multipart/form-data; boundary={boundary}"

    post(app, field(b"a"), kind.encode().decode("latin-1"))


def test_cve_2022_44572_a_long_part_header_is_refused(app: Client) -> None:
    """CVE-2022-44572 (Rack): a long header of a part took quadratic time to parse."""
    head = b'--B\r\nContent-Disposition: form-data; name="file"; filename="'

    post(app, head + b"a" * 100_000 + b'"\r\n\r\n\r\n--B--')
    post(app, b"--B\r\n" + b"X: y\r\n" * 20_000 + b"\r\n\r\n--B--")
