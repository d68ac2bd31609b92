"""The addresses at which clients get images from the storage itself."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from masthead import Instance
from masthead_media.services import storage_of
from masthead_media.services.serving import StoredFile
from masthead_media.settings import (
    DELIVERY,
    PROXY,
    PUBLIC,
    PUBLIC_URL,
    SIGNED,
    SIGNED_SECONDS,
    STORAGE,
)

_PUBLIC_SECONDS = 86_400
"""The time for which clients keep a redirect to a public address, in case the files move."""


class DirectAddress(NamedTuple):
    """An address in the storage."""

    url: str
    seconds: int
    """The time for which a client may keep it; 0 for not at all."""


def direct_address(instance: Instance, stored: StoredFile) -> DirectAddress | None:
    """Return the address of a file in the storage; None if Masthead sends the bytes."""
    delivery = instance.settings[DELIVERY]
    if delivery == PROXY:
        return None
    if delivery == PUBLIC:
        found = DirectAddress(f"{instance.settings[PUBLIC_URL]}/{stored.key}", _PUBLIC_SECONDS)
    else:
        valid = instance.settings[SIGNED_SECONDS]
        signed = storage_of(instance).signed_address(stored.key, timedelta(seconds=valid))
        found = DirectAddress(signed, valid // 2)
    return found._replace(seconds=0) if stored.temporary else found


def delivery_trouble(instance: Instance) -> str | None:
    """Return why the delivery doesn't work with the other settings."""
    delivery = instance.settings[DELIVERY]
    if delivery == PUBLIC and not instance.settings[PUBLIC_URL]:
        return f"{DELIVERY.name} is {PUBLIC}, which needs {PUBLIC_URL.name}"
    if delivery == SIGNED and storage_of(instance).folder is not None:
        return (
            f"{DELIVERY.name} is {SIGNED}, but {STORAGE.name} is a folder, which signs no addresses"
        )
    return None
