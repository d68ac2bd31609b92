"""Smaller copies of an image: same format, same colours, upright, animated where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageFile, ImageOps, ImageSequence

_QUALITY: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 82, "progressive": True, "optimize": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 80, "method": 4},
    "GIF": {},
}
_WIDE = "I;16"
_SCALES: dict[str, Callable[[Any], Any]] = {
    "L;2": lambda grey: grey * 85,
    "L;4": lambda grey: grey * 17,
    "RGB;16B": lambda colour: tuple(part >> 8 for part in colour),
}
"""How a transparent colour becomes one of 8 bits, by what Pillow calls a PNG's pixels."""


def make_rendition(content: bytes, width: int) -> bytes:
    """An image in another width.

    :param content: an image that has been judged, and is wider.
    :returns: one of the same format, ``width`` pixels wide, without metadata but colours.
    """
    with Image.open(BytesIO(content)) as image:
        assert image.format is not None
        _scale_transparency(image)
        options = dict(_QUALITY[image.format])
        if profile := image.info.get("icc_profile"):
            options["icc_profile"] = profile
        if getattr(image, "is_animated", False):
            return _animated(image, width, options)
        upright = ImageOps.exif_transpose(image)
        if upright.mode == _WIDE and "transparency" in upright.info:
            options["transparency"] = upright.info["transparency"]
        return _saved(_resized(_blendable(upright, image.format), width), image.format, options)


def _scale_transparency(image: Image.Image) -> None:
    """Let the transparent colour be one of the pixels as they are decoded.

    Pillow tells it in the depth of a PNG, and makes pixels of 8 bits of most depths.
    """
    if image.format == "PNG" and "transparency" in image.info:
        assert isinstance(image, ImageFile.ImageFile)
        scale = _SCALES.get(str(image.tile[0].args), lambda colour: colour)
        image.info["transparency"] = scale(image.info["transparency"])


def _blendable(image: Image.Image, form: str) -> Image.Image:
    """An image that can have colours between those of a palette, and transparency between two."""
    if image.mode == _WIDE:
        # No mode has 16 bits and transparency: one of its colours goes on being transparent.
        return image
    if "transparency" in image.info or image.mode == "PA":
        return image.convert("LA" if (image.mode, form) == ("L", "PNG") else "RGBA")
    return image.convert("RGB") if image.mode in ("P", "1") else image


def _resized(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
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
