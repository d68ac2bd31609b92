"""The images that an export contains and an import stores."""

from __future__ import annotations

from sqlalchemy import select

from masthead import Instance, KeptFiles, StartError
from masthead_media.keys import is_key
from masthead_media.models import Image
from masthead_media.services import storage_of


def image_files(instance: Instance) -> KeptFiles:
    """Return the declaration of the images that have rows; renditions are made again."""
    storage = storage_of(instance)

    def write(key: str, content: bytes) -> None:
        if not is_key(key):
            raise StartError(f"{key} can't be the key of an image")
        storage.put(key, content, _media_type(key))

    return KeptFiles(
        name="media",
        keys=lambda session: session.scalars(select(Image.key).order_by(Image.id)),
        read=storage.get,
        write=write,
    )


def _media_type(key: str) -> str:
    extension = key.rpartition(".")[2]
    return f"image/{'jpeg' if extension == 'jpg' else extension}"
