"""Copying images of visitors to those of staff, when a proposal becomes content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Caller, Instance, api_address, utcnow
from masthead_media.keys import STAFF, SUBMITTED, keys_in, new_key, path_of
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.leftovers import remember
from masthead_media.services.uploading import find_known, keep_once, put_back


def copy_images(instance: Instance, addresses: Iterable[str], caller: Caller) -> Mapping[str, str]:
    """Copy the images of visitors among some addresses, each in a transaction of its own.

    :param addresses: paths of the API or absolute addresses.
    :param caller: becomes who uploaded the copies.
    :returns: the path of the copy by address, with the width that was asked for; the addresses of
        anything else are left out, also those of images whose bytes are missing.
    """
    keys = keys_in(addresses, api_address(instance.settings, ""))
    wanted = {key for key in keys.values() if key.startswith(f"{SUBMITTED}/")}
    with instance.database.read() as connection, Session(connection) as looking:
        found = list(looking.scalars(select(Image).where(Image.key.in_(wanted))))
    copies = {image.key: _copy(instance, image, caller) for image in found}
    copied = {address: copies.get(key) for address, key in keys.items()}
    return {
        address: path_of(key) + "".join(address.partition("?")[1:])
        for address, key in copied.items()
        if key is not None
    }


def _copy(instance: Instance, image: Image, caller: Caller) -> str | None:
    """Copy an image, or find that staff have it already; returns the key."""
    known, is_whole = find_known(instance, image.sha256)
    if known is not None and is_whole:
        return known.key
    storage = storage_of(instance)
    try:
        content = storage.get(image.key)
    except FileNotFoundError:
        return None
    if known is not None:
        with instance.database.transaction() as session:
            return put_back(storage, session, known, image, content).key
    copy = _described_again(image, caller)
    remember(instance, copy.key)
    with instance.database.transaction() as session:
        kept, _ = keep_once(storage, session, copy, content)
        return kept.key


def _described_again(image: Image, caller: Caller) -> Image:
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
