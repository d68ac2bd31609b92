"""The metadata of an image is dropped; its appearance is unchanged."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import ExifTags, Image, ImageChops, PngImagePlugin

from masthead.testing import Client

pytestmark = pytest.mark.any_database

Picture = Callable[..., bytes]
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>Ada Example</dc:creator></x:xmpmeta>'
PRIVATE = ("GPS", "Artist", "Make", "Model", "Serial", "Date", "XMP", "Comment", "Software", "IPTC")


def exif(orientation: int = 1) -> Image.Exif:
    """Return the EXIF data that a phone writes."""
    tags = Image.Exif()
    tags[ExifTags.Base.Make] = "Example"
    tags[ExifTags.Base.Model] = "Phone 9"
    tags[ExifTags.Base.Software] = "Camera 1"
    tags[ExifTags.Base.DateTime] = "2026:03:01 09:30:00"
    tags[ExifTags.Base.Artist] = "Ada Example"
    tags[ExifTags.Base.Orientation] = orientation
    tags.get_ifd(ExifTags.IFD.GPSInfo).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0,)})
    tags.get_ifd(ExifTags.IFD.Exif)[0xA431] = "SERIAL-1"
    return tags


@pytest.fixture
def with_metadata(picture: Picture, profile: bytes) -> Callable[..., bytes]:
    """Make an image with much metadata."""

    def make(form: str, orientation: int = 1) -> bytes:
        if form == "GIF":
            return picture(form, comment=b"By Ada Example")
        options: dict[str, Any] = {"exif": exif(orientation), "icc_profile": profile}
        if form == "PNG":
            info = PngImagePlugin.PngInfo()
            info.add_text("Author", "Ada Example")
            info.add_itxt("XML:com.adobe.xmp", XMP.decode())
            info.add_text("Comment", "By Ada Example", zip=True)
            return picture(form, pnginfo=info, **options)
        if form == "JPEG":
            options["comment"] = b"By Ada Example"
        return picture(form, xmp=XMP, **options)

    return make


@pytest.fixture
def stored(upload: Any, app: Client) -> Callable[[bytes], bytes]:
    """Upload an image, and return the bytes that are served."""
    return lambda content: app.get(upload(content)["url"]).body


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
def test_metadata_about_people_places_and_devices_is_dropped(
    form: str, with_metadata: Picture, stored: Any, read_tags: Any
) -> None:
    content = with_metadata(form)
    before, after = read_tags(content), read_tags(stored(content))

    assert any(word in name for name in before for word in PRIVATE)
    assert [name for name in after for word in PRIVATE if word in name and "ICC" not in name] == []
    assert "Ada Example" not in str(after)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
def test_the_pixels_and_their_colours_stay(
    form: str, with_metadata: Picture, stored: Any, opened: Any, profile: bytes
) -> None:
    content = with_metadata(form)

    before, after = opened(content), opened(stored(content))

    assert ImageChops.difference(before.convert("RGB"), after.convert("RGB")).getbbox() is None
    assert after.info.get("icc_profile") == (profile if form != "GIF" else None)


@pytest.mark.slow
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_only_the_orientation_stays_of_exif(
    form: str, orientation: int, with_metadata: Picture, stored: Any, read_tags: Any, editor: Client
) -> None:
    tags = read_tags(stored(with_metadata(form, orientation)))

    kept = {name: value for name, value in tags.items() if name.startswith(("IFD0", "ExifIFD"))}
    assert kept == ({"IFD0:Orientation": orientation} if orientation > 1 else {})
    [image] = editor.get("/api/staff/images").json
    shown = (30, 40) if orientation >= 5 else (40, 30)
    assert (image["width"], image["height"]) == shown


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_an_animation_stays_one(form: str, animation: Picture, stored: Any, opened: Any) -> None:
    content = animation(form)

    after = opened(stored(content))

    assert after.n_frames == 3
    assert after.info.get("loop") == 2
    before = opened(content)
    for frame in range(3):
        before.seek(frame)
        after.seek(frame)
        difference = ImageChops.difference(before.convert("RGBA"), after.convert("RGBA"))
        assert difference.getbbox() is None
        assert before.info["duration"] == after.info["duration"]


def test_a_progressive_jpeg_and_a_cmyk_jpeg_stay_as_they_are(
    picture: Picture, stored: Any, opened: Any
) -> None:
    progressive = picture("JPEG", progressive=True, restart_marker_rows=1)
    assert opened(stored(progressive)).info["progressive"]
    assert stored(progressive) == progressive

    four = picture("JPEG", mode="CMYK")
    assert opened(stored(four)).mode == "CMYK"
    assert opened(stored(four)).tobytes() == opened(four).tobytes()


def test_a_thumbnail_is_dropped(picture: Picture, stored: Any) -> None:
    """A thumbnail can show parts that were cropped."""
    content = picture("JPEG")
    head = content[:2] + b"\xff\xe0\0\x13JFIF\0\1\2\0\0\1\0\1\1\1abc" + content[20:]

    assert b"abc" not in stored(head)
    assert BytesIO(stored(head)).getvalue()[:4] == b"\xff\xd8\xff\xe0"


@pytest.mark.parametrize("exif", [b"", b"II", b"II*\0\xff\xff\xff\xff", b"MM\0*\0\0\0\x08\xff\xff"])
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_damaged_exif_is_dropped(
    exif: bytes, form: str, picture: Picture, stored: Any, opened: Any
) -> None:
    assert len(opened(stored(picture(form, exif=b"Exif\0\0" + exif))).getexif()) == 0
