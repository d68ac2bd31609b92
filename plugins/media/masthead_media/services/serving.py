"""Finding the bytes of an image, in its own width or in another."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from masthead import ImageInfo, Instance, Invalid, NotFound
from masthead_media.keys import is_key, keys_in, path_of, rendition_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.settings import WIDTHS
from masthead_media.storage import Storage
from masthead_media.turns import in_turn

_DESCRIBED = select(Image.media_type, Image.size, Image.width).where(Image.key == bindparam("key"))
_making = tuple(threading.Lock() for _ in range(64))
"""Held while a rendition is made, so that two who ask for one at once don't both make it."""


@dataclass(frozen=True)
class Stored:
    """Bytes in the storage that never change."""

    key: str
    media_type: str
    size: int


def find_image(instance: Instance, key: str, width: int | None) -> Stored:
    """An image as it is served.

    :param width: in pixels, one of those that are set; an image that isn't wider is served as it
        is.
    :raises NotFound: where there is no such image.
    :raises Invalid: for another width.
    """
    if not is_key(key):
        raise NotFound
    widths = instance.settings[WIDTHS]
    if width is not None and width not in widths:
        raise Invalid(f"w: Must be one of {', '.join(map(str, widths))}")
    with instance.database.read() as connection:
        found = connection.execute(_DESCRIBED, {"key": key}).one_or_none()
    if found is None:
        raise NotFound
    if width is None or width >= found.width:
        return Stored(key, found.media_type, found.size)
    return _find_rendition(storage_of(instance), key, width, found.media_type)


def image_infos(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """What is known of the images at some paths of the API; the others are left out."""
    keys = set(keys_in(paths, "").values())
    known = select(Image.key, Image.media_type, Image.size).where(Image.key.in_(keys))
    return [ImageInfo(path_of(row.key), row.media_type, row.size) for row in session.execute(known)]


def _find_rendition(storage: Storage, key: str, width: int, media_type: str) -> Stored:
    """A rendition, made now where nobody has asked for it before."""
    # It needs Pillow, which is large.
    from masthead_media.renditions import make_rendition

    wanted = rendition_key(key, width)
    size = storage.size(wanted)
    if size is None:
        with _making[hash(wanted) % len(_making)]:
            size = storage.size(wanted)
            if size is None:
                content = in_turn(partial(make_rendition, _bytes_of(storage, key), width))
                storage.put(wanted, content, media_type)
                size = len(content)
    return Stored(wanted, media_type, size)


def _bytes_of(storage: Storage, key: str) -> bytes:
    try:
        return storage.get(key)
    except FileNotFoundError:
        # It has been deleted since it was found.
        raise NotFound from None
