"""Copy images of visitors to those of staff, when a proposal becomes content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Caller, Instance, api_address, utcnow
from masthead_media.keys import STAFF, SUBMITTED, image_path, keys_by_address, new_key
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.orphans import record_candidate
from masthead_media.services.uploading import find_duplicate, restore_bytes, store_once


def copy_images(instance: Instance, addresses: Iterable[str], caller: Caller) -> Mapping[str, str]:
    """Copy the images of visitors that addresses lead to, each in a transaction of its own.

    :param addresses: paths of the API or absolute addresses.
    :param caller: the user who becomes the uploader of the copies.
    :returns: the path of each copy by address, with the requested width. Addresses of anything
        else, and of images whose bytes are missing, are left out.
    """
    keys = keys_by_address(addresses, api_address(instance.settings, ""))
    wanted = {key for key in keys.values() if key.startswith(f"{SUBMITTED}/")}
    with instance.database.read() as connection, Session(connection) as reader:
        found = list(reader.scalars(select(Image).where(Image.key.in_(wanted))))
    copies = {image.key: _copy(instance, image, caller) for image in found}
    copied = {address: copies.get(key) for address, key in keys.items()}
    return {
        address: image_path(key) + "".join(address.partition("?")[1:])
        for address, key in copied.items()
        if key is not None
    }


def _copy(instance: Instance, image: Image, caller: Caller) -> str | None:
    """Copy an image unless staff have it already, and return the key of the copy.

    The key is None if the bytes of the image are missing.
    """
    duplicate, is_complete = find_duplicate(instance, image.sha256)
    if duplicate is not None and is_complete:
        return duplicate.key
    storage = storage_of(instance)
    try:
        content = storage.get(image.key)
    except FileNotFoundError:
        return None
    if duplicate is not None:
        with instance.database.transaction() as session:
            return restore_bytes(storage, session, duplicate, image, content).key
    copy = _staff_copy(image, caller)
    record_candidate(instance, copy.key)
    with instance.database.transaction() as session:
        stored, _ = store_once(storage, session, copy, content)
        return stored.key


def _staff_copy(image: Image, caller: Caller) -> Image:
    now = utcnow()
    return Image(
        key=new_key(STAFF, image.key.rpartition(".")[2], now),
        sha256=image.sha256,
        submitted=False,
        media_type=image.media_type,
        size=image.size,
        width=image.width,
        height=image.height,
        alt_text=image.alt_text,
        uploaded_at=now,
        uploaded_by=caller.id,
    )
