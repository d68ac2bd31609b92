"""Reports about uploaded images: bombs, other formats in disguise, scripts, metadata, paths."""

from __future__ import annotations

import re
import socket
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.ExifTags import GPS, IFD
from PIL.PngImagePlugin import PngInfo

from masthead import Instance
from masthead.testing import Client, Desk
from plugins.media.tests.bombs import PNG, chunk

KEY = re.compile(r"images/[0-9]{13}-[0-9a-f]{32}\.(jpg|png|webp|gif)")
_MESSAGE = "Invalid file type. Only images are allowed."
NO_IMAGE = {
    "error": _MESSAGE,
    "fields": [{"path": "file", "code": "not_an_image", "message": _MESSAGE}],
}
SCRIPT = b"<script>alert(1)</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


def png(width: int, height: int, *chunks: bytes) -> bytes:
    """Return a PNG of one colour, with additional chunks."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    rows = zlib.compress(bytes((width + 7) // 8 + 1) * height, 9)
    body = head + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return PNG + body


def served(app: Client, answer: Any) -> bytes:
    """Return the bytes of an uploaded image as everybody gets them."""
    return bytes(app.get(answer["url"]).body)


def test_cve_2022_45198_a_small_file_of_huge_dimensions_is_refused(
    upload: Callable[..., Any],
) -> None:
    """CVE-2022-45198 (Pillow): a small file grew to gigabytes when it was decoded."""
    assert upload(png(20_000, 20_000), status=400) == NO_IMAGE


@pytest.mark.slow
@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt", b"iCCP"])
def test_cve_2014_9601_compressed_texts_are_no_bomb(
    app: Client, upload: Callable[..., Any], kind: bytes
) -> None:
    """CVE-2014-9601 (Pillow): a compressed text in a PNG grew to gigabytes."""
    heads = {b"zTXt": b"a\0\0", b"iTXt": b"a\0\1\0\0\0", b"iCCP": b"a\0\0"}
    bomb = chunk(kind, heads[kind] + zlib.compress(bytes(70_000_000), 9))

    answer = upload(png(9, 9, bomb), status=[200, 400])

    assert answer == NO_IMAGE or len(served(app, answer)) < 1_000


DISGUISED = {
    "BLP, CVE-2021-27921": b"BLP2" + b"\1\0\0\0" + b"\xff" * 200,
    "ICNS, CVE-2021-27922": b"icns\0\0\1\0ic07\xff\xff\xff\xff" + bytes(200),
    "ICO, CVE-2021-27923": b"\0\0\1\0\1\0\0\0\0\0\1\0 \0\xff\xff\xff\xff\x16\0\0\0" + bytes(99),
    "PSD, CVE-2021-28675": b"8BPS\0\1" + bytes(6) + b"\0\3\xff\xff\xff\xff\xff\xff\xff\xff",
    "FLI, CVE-2021-28676": b"\x80\0\0\0\x11\xaf\1\0\x40\1\xc8\0\x08\0\3\0" + bytes(200),
    "EPS, CVE-2021-28677": b"%!PS-Adobe-3.0 EPSF-3.0\n" + b"\r\n" * 30_000,
    "JPEG 2000, CVE-2021-25287": b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(200),
    "SGI, CVE-2020-35655": b"\1\xda\1\1\0\3\xff\xff\xff\xff\0\3" + bytes(600),
    "PCX, CVE-2020-35653": b"\n\5\1\x08\0\0\0\0\xff\xff\xff\xff" + bytes(200),
    "TIFF, CVE-2022-45199": b"II*\0\x08\0\0\0\1\0\x15\1\3\0\1\0\0\0\xff\xff\0\0\0\0\0\0",
    "PDF, CVE-2021-25292": b"%PDF-1.4\n" + b"trailer<<" * 9_000,
    "FITS, CVE-2026-40192": b"SIMPLE  =                    T" + b" " * 3_000,
    "MVG, CVE-2016-3714": b"push graphic-context\nfill 'url(https://example.org/\"|ls \"-la)'\n",
    "SVG, CVE-2022-22116": SVG,
    "HTML, CVE-2021-33512": b"<!DOCTYPE html>" + SCRIPT,
    "Phar, CVE-2018-20148": b"GIF89a<?php __HALT_COMPILER(); ?>" + bytes(100),
}


@pytest.mark.parametrize("content", DISGUISED.values(), ids=DISGUISED)
def test_other_formats_are_refused_whatever_they_claim_to_be(
    upload: Callable[..., Any], content: bytes
) -> None:
    """The reports in the ids: a decoder that nobody needs was reached by the bytes of a file."""
    for kind in ("image/png", "image/svg+xml"):
        assert upload(content, "a.png", kind, status=400) == NO_IMAGE


def test_cve_2023_4863_corrupt_webp_is_refused(
    upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CVE-2023-4863 (libwebp): crafted code lengths of a lossless WebP wrote out of bounds."""
    whole = picture("WEBP", lossless=True)

    for at in range(20, len(whole) - 1, 3):
        broken = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        upload(broken, status=[200, 400])
    assert upload(whole[:25], status=400) == NO_IMAGE


def test_cve_2022_22117_a_script_behind_an_image_is_not_served(
    app: Client, upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CVE-2022-22117 (Directus): an HTML file, uploaded as a picture, ran its script."""
    for form in ["PNG", "JPEG", "GIF", "WEBP"]:
        answer = upload(picture(form) + SCRIPT, "a.html", "text/html")

        shown = app.get(answer["url"])
        assert SCRIPT not in shown.body
        assert shown.content_type == f"image/{form.lower()}"
        assert shown.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in shown.headers["Content-Security-Policy"]


def test_cve_2023_21036_bytes_behind_the_end_are_removed(
    app: Client, upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CVE-2023-21036 (Pixel, "aCropalypse"): the rest of the whole picture stayed in the file."""
    for form in ("PNG", "JPEG"):
        answer = upload(picture(form) + picture(form, 200, 200))
        assert len(served(app, answer)) <= len(picture(form))


def test_cartodb_15241_the_place_of_a_photo_is_removed(
    app: Client, upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CartoDB issue 15241: uploaded photos told everybody where they were taken."""
    exif = Image.Exif()
    exif.get_ifd(IFD.GPSInfo).update({GPS.GPSLatitudeRef: "N", GPS.GPSLatitude: (52.0, 31.0, 7.0)})

    for form in ("JPEG", "PNG", "WEBP"):
        content = served(app, upload(picture(form, exif=exif)))
        with Image.open(BytesIO(content)) as image:
            assert dict(image.getexif().get_ifd(IFD.GPSInfo)) == {}


def test_cve_2022_44268_no_text_of_an_image_names_a_file_to_read(
    app: Client, upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CVE-2022-44268 (ImageMagick): the text "profile" of a PNG embedded a file of the server."""
    text = PngInfo()
    text.add_text("profile", "/etc/hostname")
    answer = upload(picture("PNG", 400, 300, pnginfo=text))

    for width in ("", "?w=320"):
        with Image.open(BytesIO(app.get(answer["url"] + width).body)) as image:
            assert "profile" not in image.info
            assert "icc_profile" not in image.info


def test_cve_2021_31542_the_name_of_a_file_is_not_used(
    upload: Callable[..., Any], picture: Callable[..., bytes], instance: Instance
) -> None:
    """CVE-2021-31542 (Django): the name of an uploaded file led out of the folder."""
    for name in [
        "../../auth.secret",
        "/etc/passwd",
        "a.png\0.html",
        "..\\..\\a",
        "\u202egnp.exe",
        "a" * 500,
    ]:
        before = {path for path in instance.data.rglob("*") if "media" not in path.parts}

        answer = upload(picture(), name.encode().decode("latin-1"))

        assert KEY.fullmatch(answer["key"])
        assert answer["filename"] == Path(answer["key"]).name
        assert {path for path in instance.data.rglob("*") if "media" not in path.parts} == before


def test_cve_2023_32235_no_address_leaves_the_folder(app: Client, instance: Instance) -> None:
    """CVE-2023-32235 (Ghost): encoded slashes and dots led out of the folder of the theme."""
    for path in [
        "/api/images/../auth.secret",
        "/api/images/images/../../auth.secret",
        "/api/images/images%2F..%2F..%2Fauth.secret",
        "/api/images/images/..%2f..%2fauth.secret",
        "/api/images/images/..%5c..%5cauth.secret",
        "/api/images/%2e%2e/auth.secret",
        "/api/images/.%2e/%2e%2e/auth.secret",
        "/api/images/images//etc/passwd",
        "/api/images/images/%00",
    ]:
        instance.data.mkdir(parents=True, exist_ok=True)
        (instance.data / "auth.secret").touch()

        app.get(path, status=404)


def test_cve_2024_47831_only_some_widths_are_made(
    app: Client, upload: Callable[..., Any], picture: Callable[..., bytes]
) -> None:
    """CVE-2024-47831 (Next.js): scaling images for anybody took all processor time."""
    url = upload(picture("PNG", 900, 20))["url"]

    for width in ("321", "0", "-1", "1", "100000", "9" * 40, "1e3", "640.0", "٦٤٠", "640,641", ""):
        app.get(url, {"w": width}, status=400)


@pytest.mark.parametrize(
    "field", ["imageUrl", "content"], ids=["an address of an image", "an image in HTML"]
)
def test_cve_2022_23080_no_address_is_fetched(news: Desk, work: Any, field: str) -> None:
    """CVE-2022-23080 (Directus): the server fetched addresses of images, even internal ones."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/latest/meta-data"
        value = address if field == "imageUrl" else f'<img src="{address}"><p>{address}</p>'

        news.create_public(**{field: value})
        work()
        for path in ("/api/news", "/api/feed/news", "/sitemap.xml"):
            news.client.get(path)

        listener.settimeout(0.01)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_cve_2022_22116_no_visitor_uploads_an_svg(app: Client) -> None:
    """CVE-2022-22116 (Directus): an uploaded SVG ran its script in the browser of its readers."""
    form = [("file", "a.svg", SVG)]

    assert app.post("/api/ycs/upload/image", upload_files=form, status=400).json == NO_IMAGE
