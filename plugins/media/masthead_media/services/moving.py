"""The bytes of images on their way from one instance to another."""

from __future__ import annotations

from sqlalchemy import select

from masthead import Instance, KeptFiles, StartError
from masthead_media.keys import is_key
from masthead_media.models import Image
from masthead_media.services import storage_of


def kept_images(instance: Instance) -> KeptFiles:
    """The images that there are rows of, as they were stored; renditions are made anew."""
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
