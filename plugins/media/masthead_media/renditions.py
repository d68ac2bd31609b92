"""Renditions: smaller copies of an image in its format and colours, upright, animations too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from PIL import ExifTags, Image, ImageFile, ImageOps, ImageSequence

from masthead_media.formats.picture import oriented_size
from masthead_media.formats.tiff import UPRIGHT

_QUALITY: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 82, "progressive": True, "optimize": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 80, "method": 4},
    "GIF": {},
}
_GREY_16_BIT = "I;16"
_DRAFT = 2
"""The minimum factor by which a decoded JPEG is larger than its rendition, for sharpness."""
_SCALES: dict[str, Callable[[Any], Any]] = {
    "L;2": lambda grey: grey * 85,
    "L;4": lambda grey: grey * 17,
    "RGB;16B": lambda colour: tuple(part >> 8 for part in colour),
}
"""Functions that convert a transparent colour to 8 bits, by Pillow's raw mode of a PNG."""


def make_rendition(content: bytes, width: int) -> bytes:
    """Return a rendition of an image.

    :param content: a validated image that is wider.
    :returns: an image of the same format, ``width`` pixels wide; its only metadata is the colour
        profile.
    """
    with Image.open(BytesIO(content), formats=list(_QUALITY)) as image:
        assert image.format is not None
        _scale_transparency(image)
        options = dict(_QUALITY[image.format])
        if profile := image.info.get("icc_profile"):
            options["icc_profile"] = profile
        if getattr(image, "is_animated", False):
            return _save_animation(image, width, options)
        if image.mode == _GREY_16_BIT and "transparency" in image.info:
            options["transparency"] = image.info["transparency"]
        # The small copy is turned upright, because turning the whole image takes its memory again.
        return _save(ImageOps.exif_transpose(_shrink(image, width)), image.format, options)


def _shrink(image: Image.Image, width: int) -> Image.Image:
    """Return a copy of the decoded image that is ``width`` pixels wide when it is upright."""
    assert image.format is not None
    orientation = image.getexif().get(ExifTags.Base.Orientation, UPRIGHT)
    upright = oriented_size(*image.size, orientation)
    size = oriented_size(*_smaller(upright, width), orientation)
    # A decoder of JPEG scales by powers of two much faster than it decodes all pixels.
    image.draft(None, (_DRAFT * size[0], _DRAFT * size[1]))
    return _blendable(image, image.format).resize(size, Image.Resampling.LANCZOS)


def _scale_transparency(image: Image.Image) -> None:
    """Convert the transparent colour to the depth of the decoded pixels.

    Pillow gives it in the depth of the PNG, but decodes most depths to 8 bits.
    """
    if image.format == "PNG" and "transparency" in image.info:
        assert isinstance(image, ImageFile.ImageFile)
        scale = _SCALES.get(str(image.tile[0].args), lambda colour: colour)
        image.info["transparency"] = scale(image.info["transparency"])


def _blendable(image: Image.Image, form: str) -> Image.Image:
    """Return the image in a mode that can hold interpolated colours and partial transparency."""
    if image.mode == _GREY_16_BIT:
        # No mode has 16 bits and an alpha channel: one colour stays the transparent one.
        return image
    if "transparency" in image.info or image.mode == "PA":
        return image.convert("LA" if (image.mode, form) == ("L", "PNG") else "RGBA")
    return image.convert("RGB") if image.mode in ("P", "1") else image


def _smaller(size: tuple[int, int], width: int) -> tuple[int, int]:
    return width, max(1, round(size[1] * width / size[0]))


def _save(image: Image.Image, form: str, options: dict[str, Any]) -> bytes:
    image.info = {}
    file = BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def _save_animation(image: Image.Image, width: int, options: dict[str, Any]) -> bytes:
    assert image.format is not None
    durations: list[int] = []

    def frames() -> Iterator[Image.Image]:
        for frame in ImageSequence.Iterator(image):
            size = _smaller(frame.size, width)
            small = frame.convert("RGBA").resize(size, Image.Resampling.LANCZOS)
            # Pillow knows the duration only after it has decoded the frame.
            durations.append(round(frame.info.get("duration", 100)))
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
        duration=durations,
        disposal=2 if image.format == "GIF" else 0,
        **loop,
        **options,
    )
    return file.getvalue()
