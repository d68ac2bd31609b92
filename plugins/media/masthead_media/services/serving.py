"""Find the bytes of an image, in its own width or as a rendition."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from masthead import ImageInfo, Instance, Invalid, NotFound
from masthead_media.image_executor import run_serially
from masthead_media.keys import image_path, is_key, keys_by_address, rendition_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.settings import WIDTHS
from masthead_media.storage import Storage

_BY_KEY = select(Image.media_type, Image.size, Image.width).where(Image.key == bindparam("key"))
_rendition_locks = tuple(threading.Lock() for _ in range(64))
"""Held while a rendition is made, so that concurrent requests for it make it once."""


@dataclass(frozen=True)
class StoredFile:
    """An image or a rendition in the storage; it never changes."""

    key: str
    media_type: str
    size: int


def find_image(instance: Instance, key: str, width: int | None) -> StoredFile:
    """Return the file to serve for an image.

    :param width: one of the configured widths in pixels; an image that isn't wider is served as it
        is.
    :raises NotFound: if there is no such image.
    :raises Invalid: if the width isn't configured.
    """
    if not is_key(key):
        raise NotFound
    widths = instance.settings[WIDTHS]
    if width is not None and width not in widths:
        raise Invalid(f"w: Must be one of {', '.join(map(str, widths))}")
    with instance.database.read() as connection:
        found = connection.execute(_BY_KEY, {"key": key}).one_or_none()
    if found is None:
        raise NotFound
    if width is None or width >= found.width:
        return StoredFile(key, found.media_type, found.size)
    return _find_rendition(storage_of(instance), key, width, found.media_type)


def image_infos(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """Return media type and size of the images at paths of the API, leaving out unknown paths."""
    keys = set(keys_by_address(paths, "").values())
    known = select(Image.key, Image.media_type, Image.size).where(Image.key.in_(keys))
    return [
        ImageInfo(image_path(row.key), row.media_type, row.size) for row in session.execute(known)
    ]


def _find_rendition(storage: Storage, key: str, width: int, media_type: str) -> StoredFile:
    """Return a rendition, which is made at the first request for it."""
    # Pillow is large: it is imported only where it is used.
    from masthead_media.renditions import make_rendition

    wanted = rendition_key(key, width)
    size = storage.size(wanted)
    if size is None:
        with _rendition_locks[hash(wanted) % len(_rendition_locks)]:
            size = storage.size(wanted)
            if size is None:
                content = run_serially(partial(make_rendition, _read_bytes(storage, key), width))
                storage.put(wanted, content, media_type)
                size = len(content)
    return StoredFile(wanted, media_type, size)


def _read_bytes(storage: Storage, key: str) -> bytes:
    try:
        return storage.get(key)
    except FileNotFoundError:
        # The image was deleted after its row was read.
        raise NotFound from None
