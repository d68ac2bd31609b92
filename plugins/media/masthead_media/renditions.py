"""Smaller copies of an image: same format, same colours, upright, animated where it was."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps, ImageSequence

_QUALITY: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 82, "progressive": True, "optimize": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 80, "method": 4},
    "GIF": {},
}


def make_rendition(content: bytes, width: int) -> bytes:
    """An image in another width.

    :param content: an image that has been judged, and is wider.
    :returns: one of the same format, ``width`` pixels wide, without metadata but colours.
    """
    with Image.open(BytesIO(content)) as image:
        assert image.format is not None
        options = dict(_QUALITY[image.format])
        if profile := image.info.get("icc_profile"):
            options["icc_profile"] = profile
        if getattr(image, "is_animated", False):
            return _animated(image, width, options)
        upright = ImageOps.exif_transpose(image)
        return _saved(_resized(upright, width), image.format, options)


def _resized(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
    if image.mode in ("P", "1", "PA"):
        # Colours between those of a palette are needed.
        has_alpha = "transparency" in image.info or image.mode == "PA"
        image = image.convert("RGBA" if has_alpha else "RGB")
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _saved(image: Image.Image, form: str, options: dict[str, Any]) -> bytes:
    image.info = {}
    file = BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def _animated(image: Image.Image, width: int, options: dict[str, Any]) -> bytes:
    assert image.format is not None
    lasts: list[int] = []

    def frames() -> Iterator[Image.Image]:
        for frame in ImageSequence.Iterator(image):
            small = _resized(frame.convert("RGBA"), width)
            # Which it tells once its pixels were asked for.
            lasts.append(round(frame.info.get("duration", 100)))
            small.info = {}
            yield small

    made = list(frames())
    loop = {"loop": image.info["loop"]} if "loop" in image.info else {}
    file = BytesIO()
    made[0].save(
        file,
        image.format,
        save_all=True,
        append_images=made[1:],
        duration=lasts,
        disposal=2 if image.format == "GIF" else 0,
        **loop,
        **options,
    )
    return file.getvalue()
