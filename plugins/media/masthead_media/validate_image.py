"""Validate uploads by their bytes: each must be an image that decodes completely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from masthead_media.formats import gif, jpeg, png, webp
from masthead_media.formats.picture import NotAnImage, Picture

if TYPE_CHECKING:
    from PIL import Image

READERS: dict[bytes, Callable[[bytes], Picture]] = {
    jpeg.SIGNATURE: jpeg.read,
    png.SIGNATURE: png.read,
    webp.SIGNATURE: webp.read,
    gif.SIGNATURE: gif.read,
}
_MAX_SCANS = 20
"""The maximum number of scans of an image that has the maximum number of pixels."""
MEDIA_TYPES = ("image/jpeg", "image/png", "image/webp", "image/gif")


def validate_image(data: bytes, max_pixels: int) -> Picture:
    """Return the image in an upload, without its metadata.

    :param max_pixels: the limit of width × height × frames.
    :raises NotAnImage: if the upload is anything else, or doesn't decode to its last pixel.
    """
    picture = _read(data)
    if picture.pixels > max_pixels or picture.pixels * picture.scans > max_pixels * _MAX_SCANS:
        raise NotAnImage
    if picture.format == "PNG" and not png.is_complete(picture.content):
        raise NotAnImage
    _decode(picture)
    return picture


def _read(data: bytes) -> Picture:
    for signature, read in READERS.items():
        if data.startswith(signature):
            return read(data)
    raise NotAnImage


def _decode(picture: Picture) -> None:
    # Pillow is large, and most processes never decode an image.
    from PIL import Image

    try:
        with Image.open(BytesIO(picture.content), formats=[picture.format]) as image:
            sizes = {frame.size for frame in _frames(image)}
    # Pillow raises many types for a damaged file: OSError, SyntaxError, struct.error …
    except Exception as error:
        raise NotAnImage from error
    if not sizes <= {(picture.width, picture.height), (picture.height, picture.width)}:
        raise NotAnImage


def _frames(image: Image.Image) -> Iterator[Image.Image]:
    """Yield the frames, each decoded."""
    from PIL import ImageSequence

    for frame in ImageSequence.Iterator(image):
        frame.load()
        yield frame
