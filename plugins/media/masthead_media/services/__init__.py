"""The services of media, one module per subject."""

from __future__ import annotations

from masthead import Instance
from masthead_media.settings import STORAGE
from masthead_media.storage import Storage, open_storage


def storage_of(instance: Instance) -> Storage:
    """Return the storage that an instance keeps the bytes of images in."""
    return open_storage(instance.settings[STORAGE], instance.data)
