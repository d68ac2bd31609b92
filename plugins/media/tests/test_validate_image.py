"""Uploads are validated by their bytes: only complete images of the four formats are accepted."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from PIL import Image

from masthead.testing import Client

pytestmark = pytest.mark.any_database

Picture = Callable[..., bytes]
_MESSAGE = "Invalid file type. Only images are allowed."
REFUSAL = {
    "error": _MESSAGE,
    "fields": [{"path": "file", "code": "not_an_image", "message": _MESSAGE}],
}
PAGE = b"<!DOCTYPE html><script>alert(1)</script>"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.media.max_pixels": "200000"}


def chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I4s", len(content), kind) + content + struct.pack(">I", checksum)


def png(width: int, height: int, rows: bytes, *extra: bytes, data: bytes = b"") -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", data or zlib.compress(rows))
    return b"".join((SIGNATURE, head, *extra, pixels, chunk(b"IEND", b"")))


def saved(form: str, width: int = 8, height: int = 8, **options: Any) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), "teal").save(file, form, **options)
    return file.getvalue()


def mpo() -> bytes:
    pictures = [Image.new("RGB", (32, 32), colour) for colour in ("red", "blue")]
    file = BytesIO()
    pictures[0].save(file, "MPO", save_all=True, append_images=pictures[1:])
    return file.getvalue()


def camera_jpeg(kind: int) -> bytes:
    """Return a JPEG that is followed by another one, of a type of Multi-Picture Format."""
    picture, other = saved("JPEG", 32, 24), saved("JPEG", 4, 3)
    records = struct.pack(">IIIHH", 0x20030000, 0, 0, 0, 0)
    records += struct.pack(">IIIHH", kind, len(other), 0, 0, 0)
    number = struct.pack(">HHII", 0xB001, 4, 1, 2)
    images = struct.pack(">HHII", 0xB002, 7, len(records), 38)
    directory = b"MPF\0MM\0*\0\0\0\x08\0\x02" + number + images + bytes(4) + records
    segment = b"\xff\xe2" + struct.pack(">H", len(directory) + 2) + directory
    return picture[:2] + segment + picture[2:] + other


TINY = png(4, 4, bytes(20))
JPEG, GIF, WEBP = saved("JPEG"), saved("GIF"), saved("WEBP")
REFUSED = {
    "nothing": b"",
    "text": b"This is a text",
    "page": PAGE,
    "svg": b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
    "pdf": b"%PDF-1.4\n1 0 obj",
    "bmp": saved("BMP"),
    "tiff": saved("TIFF"),
    "avif": saved("AVIF"),
    "ico": saved("ICO"),
    "jpeg 2000": saved("JPEG2000"),
    "several pictures in one": mpo(),
    "a signature alone": SIGNATURE,
    "a jpeg's signature alone": b"\xff\xd8\xff\xd9",
    "a gif's head alone": GIF[:13],
    "a riff that is no webp": b"RIFF\x24\0\0\0WAVEfmt " + bytes(30),
    "an empty webp": b"RIFF\x04\0\0\0WEBP",
    "a script": b"GIF89a/*" + bytes(20) + b"*/=1;alert(1)//;",
    "no pixels": png(0, 0, b""),
    "more pixels than there are": png(4, 4, bytes(19)),
    "fewer pixels than there are": png(4, 4, bytes(21)),
    "pixels and a page": png(4, 4, bytes(20), data=zlib.compress(bytes(20)) + PAGE),
    "declared too large": png(2**31 - 1, 2**31 - 1, bytes(20)),
    "too many pixels": png(1000, 201, bytes(1001 * 201)),
    "too many pixels of a jpeg": saved("JPEG", 1000, 201),
    "a wrong checksum": TINY.replace(b"IDAT", b"IDAU"),
    "a wrong checksum of pixels": TINY[:45] + bytes([TINY[45] ^ 1]) + TINY[46:],
    "without an end": TINY[:-12],
    "no head": SIGNATURE + TINY[33:],
    "very many chunks": png(4, 4, bytes(20), chunk(b"tEXt", b"a\0") * 100_001),
    "a jpeg of declared size": JPEG.replace(b"\0\x08\0\x08\x03", b"\xff\xdc\xff\xdc\x03"),
    "a jpeg without an end": JPEG[:-2],
    "a jpeg without a picture": JPEG[: JPEG.index(b"\xff\xda")] + b"\xff\xd9",
    "a gif without an end": GIF[:-1],
    "a gif of declared size": GIF[:6] + b"\xff" * 4 + GIF[10:],
    "a webp that is cut": WEBP[:-4],
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
def test_an_upload_that_is_no_image_is_refused_and_not_stored(
    content: bytes, upload: Any, submit: Any, editor: Client, kept: Any
) -> None:
    assert upload(content, status=400) == REFUSAL
    assert submit(content, status=400) == REFUSAL
    assert editor.get("/api/staff/images").json == []
    assert kept() == []


@pytest.mark.parametrize("kind", [0x010001, 0x40010002])
def test_a_preview_of_a_camera_is_dropped(kind: int, upload: Any, app: Client) -> None:
    image = upload(camera_jpeg(kind))

    stored = app.get(image["url"]).body
    assert stored == saved("JPEG", 32, 24)


@pytest.mark.parametrize("kind", [0, 0x020001, 0x020002, 0x030000])
def test_a_jpeg_of_several_pictures_is_refused(kind: int, upload: Any) -> None:
    assert upload(camera_jpeg(kind), status=400) == REFUSAL


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
def test_an_image_that_is_truncated_anywhere_is_refused(
    form: str, picture: Picture, upload: Any
) -> None:
    content = picture(form)

    for end in range(0, len(content) - 1, max(1, len(content) // 25)):
        assert upload(content[:end], status=400) == REFUSAL


@pytest.mark.slow
@pytest.mark.parametrize(("form", "frames"), [("GIF", 3), ("WEBP", 3), ("PNG", 3)])
def test_the_frames_of_an_animation_count_together(
    form: str, frames: int, animation: Picture, upload: Any
) -> None:
    upload(animation(form, 250, 200000 // frames // 250))

    assert upload(animation(form, 250, 200000 // frames // 250 + 1), status=400) == REFUSAL


def test_a_decompression_bomb_in_a_text_chunk_is_dropped(upload: Any, app: Client) -> None:
    bomb = b"Comment\0\0" + zlib.compress(bytes(64 * 1024**2))

    image = upload(png(4, 4, bytes(20), chunk(b"zTXt", bomb)))

    assert len(app.get(image["url"]).body) < 100


POLYGLOTS = {
    "behind a png": TINY + PAGE,
    "in a text of a png": png(4, 4, bytes(20), chunk(b"tEXt", b"Comment\0" + PAGE)),
    "in an unknown part of a png": png(4, 4, bytes(20), chunk(b"paGe", PAGE)),
    "behind a jpeg": JPEG + PAGE,
    "in a comment of a jpeg": JPEG[:2] + b"\xff\xfe\0\x2a" + PAGE + JPEG[2:],
    "in a jpeg's part for programs": JPEG[:2] + b"\xff\xed\0\x2a" + PAGE + JPEG[2:],
    "behind a gif": GIF + PAGE,
    "in a comment of a gif": saved("GIF", comment=PAGE),
    "behind a webp": WEBP + PAGE,
    "in an unknown part of a webp": saved("WEBP", xmp=PAGE),
}


@pytest.mark.parametrize("content", POLYGLOTS.values(), ids=POLYGLOTS)
def test_a_page_hidden_in_an_image_is_not_served(content: bytes, upload: Any, app: Client) -> None:
    assert PAGE in content

    answer = app.get(upload(content)["url"])

    assert PAGE not in answer.body


@hypothesis_settings(
    max_examples=60,
)
@given(
    whole=st.sampled_from([TINY, JPEG, GIF, WEBP, saved("WEBP", lossless=True)]),
    at=st.integers(0, 1000),
    put=st.binary(max_size=20),
    left_out=st.integers(0, 20),
)
def test_a_corrupted_image_is_refused_or_harmless(
    upload: Any, whole: bytes, at: int, put: bytes, left_out: int
) -> None:
    at %= len(whole)

    answer = upload(whole[:at] + put + whole[at + left_out :], status="*")

    assert answer == REFUSAL or answer["url"]
