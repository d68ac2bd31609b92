"""Store the images of an import of a website."""

from __future__ import annotations

from typing import IO

from masthead import Caller, Instance, Line
from masthead_media.models import Image
from masthead_media.schemas import MAX_ALT_TEXT
from masthead_media.services.uploading import upload_for_staff


def store_image(
    instance: Instance, file: IO[bytes], alt_text: str | None, caller: Caller | None
) -> str:
    """Store an image as staff's, in a transaction of its own, and return its path.

    :param alt_text: the alternative text for an image without one; invalid text is left out.
    :raises Invalid: if the file is not an image.
    """
    with instance.database.transaction() as session:
        stored, _ = upload_for_staff(instance, session, file, caller)
        if stored.alt_text is None and (text := _valid(alt_text)):
            session.get_one(Image, stored.id).alt_text = text
        return stored.url


def _valid(alt_text: str | None) -> str | None:
    try:
        return Line(MAX_ALT_TEXT).parse(alt_text)
    except ValueError:
        return None
