"""The text by which staff find an image."""

from __future__ import annotations

from sqlalchemy import event, func

from masthead import without_accents
from masthead_media.models import Image

NAME_LENGTH = 200
"""The number of characters of the name of a file that are kept."""

searched_text = func.coalesce(
    Image.search_text, func.lower(Image.key + " " + func.coalesce(Image.alt_text, ""))
)
"""The text of an image; an image that an older release has stored has no folded one."""


def name_of(filename: str) -> str | None:
    """Return the name of a file as it is kept: without a path and control characters."""
    name = filename.replace("\\", "/").rpartition("/")[2]
    return "".join(filter(str.isprintable, name)).strip()[:NAME_LENGTH] or None


@event.listens_for(Image, "before_insert")
@event.listens_for(Image, "before_update")
def _index(_mapper: object, _connection: object, image: Image) -> None:
    """Set the text by which an image is found."""
    texts = (image.original_name, image.alt_text, image.key)
    image.search_text = without_accents(" ".join(filter(None, texts)))


def search_words(text: str) -> list[str]:
    """Return the words that an image's text has to contain."""
    return without_accents(text).split()
