"""Find the bytes of an image, in its own width or as a rendition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from masthead import ImageInfo, Instance, NotFound, ProblemCode, wrong_field
from masthead_media.keys import image_path, is_key, keys_by_address, rendition_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.renditions import NotNow, make_rendition
from masthead_media.settings import WIDTHS

_BY_KEY = select(Image.id, Image.media_type, Image.size, Image.width).where(
    Image.key == bindparam("key")
)


@dataclass(frozen=True)
class StoredFile:
    """An image or a rendition in the storage; it never changes."""

    key: str
    media_type: str
    size: int
    image_id: int
    temporary: bool = False
    """Whether it is sent in place of a rendition that may be made later."""


def find_image(instance: Instance, key: str, width: int | None, visitor: str | None) -> StoredFile:
    """Return the file to serve for an image.

    :param width: one of the configured widths in pixels; an image that isn't wider, or can't be
        scaled within the limits, is served as it is.
    :param visitor: the result of ``visitor_of``; the image is served as it is if their quota
        or the load of the machine doesn't allow to make a rendition.
    :raises NotFound: if there is no such image.
    :raises Invalid: if the width isn't configured.
    :raises Busy: if the rendition must be made, and no decoder is free in time.
    """
    if not is_key(key):
        raise NotFound
    widths = instance.settings[WIDTHS]
    if width is not None and width not in widths:
        message = f"Must be one of {', '.join(map(str, widths))}"
        raise wrong_field("w", ProblemCode.NOT_AN_OPTION, message, options=widths)
    with instance.database.read() as connection:
        found = connection.execute(_BY_KEY, {"key": key}).one_or_none()
    if found is None:
        raise NotFound
    original = StoredFile(key, found.media_type, found.size, found.id)
    if width is None or width >= found.width:
        return original
    wanted = rendition_key(key, width)
    size = storage_of(instance).size(wanted)
    if size is None:
        try:
            size = make_rendition(instance, key, width, found.media_type, visitor)
        except NotNow:
            return replace(original, temporary=True)
    return replace(original, key=wanted, size=size) if size else original


def image_infos(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """Return media type and size of the images at paths of the API, leaving out unknown paths."""
    keys = set(keys_by_address(paths, "").values())
    known = select(Image.key, Image.media_type, Image.size).where(Image.key.in_(keys))
    return [
        ImageInfo(image_path(row.key), row.media_type, row.size) for row in session.execute(known)
    ]
