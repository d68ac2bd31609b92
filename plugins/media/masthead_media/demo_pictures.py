"""The pictures of the demo, drawn by code: landscapes, lanterns, a logo and portraits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from math import sin

from PIL import Image, ImageDraw, ImageOps

Draw = Callable[[], Image.Image]

LANDSCAPE, SQUARE = (960, 540), (400, 400)
_OVERSAMPLING = 2
"""Pictures are drawn this much larger than they are saved, so that edges are smooth."""


def encode(picture: Image.Image, form: str) -> bytes:
    """Return a picture in a file format.

    :param form: ``JPEG`` or ``PNG``.
    """
    file = BytesIO()
    small = picture.resize((picture.width // _OVERSAMPLING, picture.height // _OVERSAMPLING))
    small.save(file, form, quality=80, optimize=True)
    return file.getvalue()


def _canvas(
    size: tuple[int, int], above: str, below: str
) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return a picture with a vertical gradient, and the object that draws on it."""
    wide, high = (_OVERSAMPLING * each for each in size)
    faded = Image.linear_gradient("L").resize((wide, high))
    picture = ImageOps.colorize(faded, above, below)
    return picture, ImageDraw.Draw(picture)


def _hill(
    draw: ImageDraw.ImageDraw, top: float, rise: float, bends: float, start: float, colour: str
) -> None:
    """Draw a wavy ridge and fill the area below; heights are fractions of the picture's."""
    wide, high = draw.im.size
    ridge = [
        (x, high * (top + rise * sin(start + bends * x / wide))) for x in range(0, wide + 1, 8)
    ]
    draw.polygon([*ridge, (wide, high), (0, high)], fill=colour)


def _disc(
    draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: str, flat: float = 1
) -> None:
    """Draw a disc around a point; sizes are fractions of the picture's width or height."""
    wide, high = draw.im.size
    across, down = radius * wide, radius * wide * flat
    box = (x * wide - across, y * high - down, x * wide + across, y * high + down)
    draw.ellipse(box, fill=colour)


def _river() -> Image.Image:
    picture, draw = _canvas(LANDSCAPE, "#f6d9b0", "#f2b6a0")
    _disc(draw, 0.72, 0.3, 0.06, "#fff3d6")
    _hill(draw, 0.45, 0.06, 7, 0.4, "#7d9c8f")
    _hill(draw, 0.55, 0.04, 9, 2.0, "#5b8272")
    _hill(draw, 0.66, 0.015, 5, 1.0, "#4f8ea8")
    _hill(draw, 0.76, 0.015, 11, 3.0, "#6aa7bd")
    _hill(draw, 0.9, 0.05, 4, 2.4, "#2f5a45")
    return picture


def _garden() -> Image.Image:
    picture, draw = _canvas(LANDSCAPE, "#bfe3ef", "#eef6d8")
    _hill(draw, 0.5, 0.05, 6, 1.2, "#9cc37a")
    wide, high = picture.size
    for bed in range(4):
        left, top = wide * (0.05 + 0.24 * bed), high * 0.7
        draw.rectangle((left, top, left + wide * 0.18, high * 0.92), fill="#6b4a33")
        for plant in range(5):
            x = 0.07 + 0.24 * bed + 0.035 * plant
            _disc(draw, x, 0.7, 0.016 + 0.004 * (plant % 3), "#3f7d3a", 1.4)
            _disc(draw, x, 0.68, 0.006, ("#d9483b", "#f0b429", "#8e4ec6", "#f2f2f2")[bed])
    return picture


def _workshop() -> Image.Image:
    picture, draw = _canvas(LANDSCAPE, "#e9d8bd", "#d9bd92")
    wide, high = picture.size
    draw.rectangle((0, high * 0.72, wide, high), fill="#7a5230")
    draw.rectangle((wide * 0.1, high * 0.12, wide * 0.9, high * 0.5), fill="#5f7470")
    for tool in range(6):
        x = wide * (0.17 + 0.13 * tool)
        draw.rectangle((x, high * 0.2, x + wide * 0.02, high * 0.44), fill="#c98f4e")
        draw.rectangle((x - wide * 0.02, high * 0.18, x + wide * 0.04, high * 0.24), fill="#2f3b3a")
    _disc(draw, 0.3, 0.68, 0.08, "#b9412f")
    _disc(draw, 0.3, 0.68, 0.03, "#e9d8bd")
    _disc(draw, 0.62, 0.66, 0.06, "#3d6b8c", 0.8)
    return picture


def _lanterns() -> Image.Image:
    picture, draw = _canvas(LANDSCAPE, "#141c3a", "#3b2f5c")
    _hill(draw, 0.62, 0.03, 8, 0.2, "#0e1428")
    _hill(draw, 0.74, 0.01, 12, 1.0, "#1d2c55")
    for lantern in range(9):
        x, y = 0.08 + 0.105 * lantern, 0.5 + 0.07 * sin(lantern * 1.7)
        _disc(draw, x, y, 0.022, "#b5651d", 1.2)
        _disc(draw, x, y, 0.014, "#ffd27d", 1.2)
        _disc(draw, x, 0.86, 0.014, "#8a6a3d", 0.3)
    return picture


def _logo() -> Image.Image:
    picture, draw = _canvas(SQUARE, "#ffffff", "#ffffff")
    _disc(draw, 0.5, 0.4, 0.26, "#3f7d3a")
    _disc(draw, 0.5, 0.4, 0.02, "#ffffff", 10)
    _hill(draw, 0.72, 0.03, 12, 0, "#4f8ea8")
    _hill(draw, 0.84, 0.03, 12, 2, "#2f5a78")
    return picture


def _portrait(ground: Sequence[str], skin: str, hair: str, coat: str) -> Draw:
    def draw_portrait() -> Image.Image:
        picture, draw = _canvas(SQUARE, *ground)
        _disc(draw, 0.5, 1.05, 0.36, coat)
        _disc(draw, 0.5, 0.4, 0.22, hair)
        _disc(draw, 0.5, 0.47, 0.17, skin, 1.15)
        return picture

    return draw_portrait


PICTURES: dict[str, tuple[Draw, str, str]] = {
    "river": (_river, "JPEG", "A river between low hills in the morning sun"),
    "garden": (_garden, "JPEG", "Four garden beds with plants in bloom"),
    "workshop": (_workshop, "JPEG", "A workbench below a wall of tools"),
    "lanterns": (_lanterns, "JPEG", "Nine lanterns above dark water"),
    "logo": (_logo, "PNG", "An alder leaf above two waves"),
    "noor": (
        _portrait(("#dfe9f2", "#b8cfe0"), "#c98d66", "#3a2a20", "#2f5a78"),
        "JPEG",
        "Noor Haddad, drawn with few shapes",
    ),
    "mateo": (
        _portrait(("#f3e3cf", "#e2c39d"), "#e0ad85", "#8a8a88", "#3f7d3a"),
        "JPEG",
        "Mateo Vidal, drawn with few shapes",
    ),
    "salma": (
        _portrait(("#e7f0dc", "#c3d9a9"), "#a8714d", "#6d3f5b", "#6d3f5b"),
        "JPEG",
        "سلمى منصور، مرسومة بأشكال قليلة",
    ),
}
"""Each picture of the demo by name: the function that draws it, its format, its alt text."""
