"""Renditions are made once, in the format of the image, and never enlarge it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image, ImageOps
from sqlalchemy import func, select, update

from masthead import Instance
from masthead.testing import Client
from masthead_media.decoding.pool import pool
from masthead_media.models import Image as StoredImage
from masthead_media.models import VisitorUsage
from masthead_media.storage import Storage
from plugins.media.tests import bombs

Picture = Callable[..., bytes]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.media.widths": "100 64 200"}


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
def test_a_rendition_has_the_width_that_is_asked_for(
    form: str, picture: Picture, opened: Any, upload: Any, app: Client
) -> None:
    image = upload(picture(form, 300, 150))

    answer = app.get(f"{image['url']}?w=100")

    made = opened(answer.body)
    assert (made.format, made.size) == (form, (100, 50))
    assert answer.content_type == app.get(image["url"]).content_type
    assert answer.headers["ETag"] != app.get(image["url"]).headers["ETag"]
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_rendition_is_made_once_and_kept(
    picture: Picture, upload: Any, app: Client, kept: Any
) -> None:
    image = upload(picture("JPEG", 300, 150))
    url = f"{image['url']}?w=64"

    with ThreadPoolExecutor(4) as threads:
        bodies = set(threads.map(lambda _: app.get(url).body, range(8)))

    assert len(bodies) == 1
    assert kept() == [image["key"], f"renditions/{image['key']}/64.jpg"]
    etag = app.get(url).headers["ETag"]
    app.get(url, headers={"If-None-Match": etag}, status=304)
    app.get(url, headers={"Range": "bytes=0-9"}, status=206)


def test_an_image_is_never_made_wider(
    picture: Picture, upload: Any, app: Client, kept: Any
) -> None:
    image = upload(picture("PNG", 64, 10))
    whole = app.get(image["url"])

    for width in (64, 100, 200):
        answer = app.get(f"{image['url']}?w={width}")
        assert answer.body == whole.body
        assert answer.headers["ETag"] == whole.headers["ETag"]
    assert kept() == [image["key"]]


@pytest.mark.parametrize("width", ["63", "1000", "0", "-64", "x", "", "64.0", "9" * 30])
def test_other_widths_are_refused(
    width: str, picture: Picture, upload: Any, app: Client, kept: Any
) -> None:
    image = upload(picture("PNG", 300, 10))

    assert "w" in app.get(f"{image['url']}?w={width}", status=400).json["error"]
    assert kept() == [image["key"]]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_rendition_is_upright(
    form: str, orientation: int, opened: Any, upload: Any, app: Client, tmp_path: Any
) -> None:
    # A white corner on black, as a viewer shows it.
    shown = Image.new("RGB", (300, 200))
    shown.paste("white", (0, 0, 150, 100))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = shown.transpose(TURNS[orientation]) if orientation in TURNS else shown
    stored.save(tmp_path / "image", form, exif=exif)

    image = upload((tmp_path / "image").read_bytes())

    whole = ImageOps.exif_transpose(opened(app.get(image["url"]).body))
    made = opened(app.get(f"{image['url']}?w=100").body)
    assert (whole.size, made.size) == ((300, 200), (100, 67))
    assert made.getexif().get(0x0112, 1) == 1
    for each in (whole.resize((100, 67)), made):
        corners = [each.convert("L").getpixel(at) for at in ((9, 9), (9, 57), (89, 9), (89, 57))]
        assert [corner > 127 for corner in corners] == [True, False, False, False]


KINDS = [
    *("JPEG/L", "JPEG/RGB", "JPEG/CMYK", "WEBP/RGB", "WEBP/RGBA", "GIF/P"),
    *("PNG/RGBA", "PNG/L", "PNG/I;16", "PNG/P", "PNG/1", "PNG/LA"),
]
# The inverse of the transposition that a viewer applies (EXIF 2.32, tag 274).
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_a_rendition_of_an_animation_is_animated(
    form: str, animation: Picture, opened: Any, upload: Any, app: Client
) -> None:
    image = upload(animation(form, 300, 150))

    made = opened(app.get(f"{image['url']}?w=100").body)

    assert (made.format, made.size, made.n_frames) == (form, (100, 50), 3)
    assert made.info.get("loop") == 2
    durations = []
    for frame in range(3):
        made.seek(frame)
        made.load()
        durations.append(made.info["duration"])
    assert durations == [50, 70, 90]


@pytest.mark.parametrize("kind", KINDS)
def test_every_mode_has_renditions(
    kind: str, opened: Any, upload: Any, app: Client, tmp_path: Any, profile: bytes
) -> None:
    form, mode = kind.split("/")
    options = {"icc_profile": profile} if form != "GIF" and mode in ("RGBA", "L") else {}
    Image.new(mode, (300, 150)).save(tmp_path / "image", form, **options)

    image = upload((tmp_path / "image").read_bytes())

    made = opened(app.get(f"{image['url']}?w=100").body)
    assert made.size == (100, 50)
    assert made.info.get("icc_profile") == options.get("icc_profile")
    if mode not in ("P", "1"):
        assert made.mode == mode


def _png(kind: int, depth: int, colour: bytes, other: bytes) -> bytes:
    """Return a PNG whose left half has a transparent colour; colours are big-endian samples."""
    samples = [each * 200 for each in (colour, other)]
    if depth < 8:
        # Samples are packed into bytes.
        packed = 8 // depth
        factor = sum(1 << (depth * place) for place in range(packed))
        samples = [bytes([each[-1] * factor]) * (200 // packed) for each in (colour, other)]
    row = b"\0" + b"".join(samples)
    transparent = colour if depth == 16 else b"".join(bytes([0, part]) for part in colour)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", 400, 40, depth, kind, 0, 0, 0)),
        (b"tRNS", transparent),
        (b"IDAT", zlib.compress(row * 40)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@pytest.mark.parametrize(
    ("kind", "depth", "colour", "other"),
    [
        (0, 1, b"\1", b"\0"),
        (0, 2, b"\2", b"\0"),
        (0, 4, b"\7", b"\x0f"),
        (0, 8, b"\x64", b"\xff"),
        (0, 16, b"\x12\x34", b"\xff\xff"),
        (2, 8, b"\1\2\3", b"\xff\0\0"),
        (2, 16, b"\x12\x34\x56\x78\x9a\xbc", b"\xff" * 6),
    ],
)
def test_a_transparent_colour_stays_transparent(
    kind: int, depth: int, colour: bytes, other: bytes, opened: Any, upload: Any, app: Client
) -> None:
    image = upload(_png(kind, depth, colour, other))

    made = opened(app.get(f"{image['url']}?w=100").body)

    assert made.size == (100, 10)
    if depth == 16 and kind == 0:
        # Pillow has no alpha channel for this mode.
        assert made.info["transparency"] == made.getpixel((5, 5)) != made.getpixel((95, 5))
    else:
        alpha = made.getchannel("A")
        assert (alpha.getpixel((5, 5)), alpha.getpixel((95, 5))) == (0, 255)


def test_the_transparent_colour_of_an_animation_stays_transparent(
    opened: Any, upload: Any, app: Client, tmp_path: Any
) -> None:
    frames = [Image.new("RGB", (300, 30), colour) for colour in ("red", "lime", "blue")]
    for frame in frames:
        frame.paste("white", (0, 0, 150, 30))
    options = {"save_all": True, "append_images": frames[1:], "transparency": (255, 255, 255)}
    frames[0].save(tmp_path / "image", "PNG", **options)

    image = upload((tmp_path / "image").read_bytes())

    made = opened(app.get(f"{image['url']}?w=100").body)
    assert made.n_frames == 3
    for number in range(3):
        made.seek(number)
        alpha = made.convert("RGBA").getchannel("A")
        assert (alpha.getpixel((5, 5)), alpha.getpixel((95, 5))) == (0, 255)


def test_a_grey_gif_stays_transparent(opened: Any, upload: Any, app: Client, tmp_path: Any) -> None:
    grey = Image.new("L", (300, 30), 200)
    grey.paste(100, (0, 0, 150, 30))
    grey.save(tmp_path / "image", "GIF", transparency=100)

    image = upload((tmp_path / "image").read_bytes())

    made = opened(app.get(f"{image['url']}?w=100").body).convert("RGBA").getchannel("A")
    assert (made.getpixel((5, 5)), made.getpixel((95, 5))) == (0, 255)


@pytest.fixture
def spoil(instance: Instance) -> Callable[[str], None]:
    """Replace the stored bytes of an image by those of one that takes too much memory."""

    def replace(key: str) -> None:
        content = bombs.saved("PNG", (4_200, 4_200), compress_level=1)
        (instance.data / "media" / key).write_bytes(content)
        with instance.database.transaction() as session:
            session.execute(update(StoredImage).values(size=len(content)))

    return replace


class TestLimits:
    """An image that can't be scaled within the limits costs once, and is served as it is."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.media.widths": "64 100", "masthead.media.memory": "64"}

    def test_an_image_that_fails_is_served_as_it_is_and_not_tried_again(
        self, picture: Picture, upload: Any, app: Client, kept: Any, spoil: Any, caplog: Any
    ) -> None:
        image = upload(picture("PNG", 300, 150))
        spoil(image["key"])

        for _ in range(3):
            answer = app.get(f"{image['url']}?w=64")
            assert answer.body == app.get(image["url"]).body
            assert answer.headers["ETag"] == app.get(image["url"]).headers["ETag"]

        assert len([each for each in caplog.messages if "can't be scaled" in each]) == 1
        assert kept() == [image["key"], f"renditions/{image['key']}/64.png"]

    def test_the_mark_of_a_failed_rendition_is_deleted_with_the_image(
        self, picture: Picture, upload: Any, app: Client, editor: Client, kept: Any, spoil: Any
    ) -> None:
        image = upload(picture("PNG", 300, 150))
        spoil(image["key"])
        app.get(f"{image['url']}?w=64")

        editor.delete(f"/api/staff/images/{image['key']}")

        assert kept() == []


def test_an_image_whose_decoder_is_killed_is_scaled_later(
    picture: Picture, upload: Any, app: Client, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = upload(picture("JPEG", 300, 150))
    get = Storage.get

    def get_and_kill(storage: Storage, key: str) -> bytes:
        for decoder in pool()._decoders:
            decoder.kill()
        return get(storage, key)

    with monkeypatch.context() as patched:
        patched.setattr(Storage, "get", get_and_kill)
        answer = app.get(f"{image['url']}?w=64")

    assert answer.body == app.get(image["url"]).body
    assert answer.headers["Cache-Control"] == "no-store"
    assert opened(app.get(f"{image['url']}?w=64").body).size == (64, 32)


def test_thirty_requests_for_renditions_take_the_time_of_one_for_each(
    picture: Picture, upload: Any, app: Client, instance: Instance
) -> None:
    def paths(seed: int) -> list[str]:
        image = upload(picture("PNG", 1200, 1200, seed=seed))
        return [f"{image['url']}?w={width}" for width in (64, 100, 200)]

    def spent() -> float:
        with instance.database.read() as connection:
            used = connection.execute(select(func.sum(VisitorUsage.scaling_milliseconds))).scalar()
        return float(used or 0)

    for path in paths(1):
        app.get(path)
    once = spent()

    with ThreadPoolExecutor(30) as threads:
        answers = list(threads.map(lambda path: app.get(path, status="*"), paths(2) * 10))

    assert {answer.status_int for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 3
    assert 0 < spent() - once < 3 * once
