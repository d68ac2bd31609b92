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
from masthead_media.services.uploading import find_duplicate, keep_once


def copy_images(instance: Instance, addresses: Iterable[str], caller: Caller) -> Mapping[str, str]:
    """Copy the images of visitors among some addresses, each in a transaction of its own.

    :param addresses: paths of the API or absolute addresses.
    :param caller: becomes who uploaded the copies.
    :returns: the path of the copy by address; the addresses of anything else are left out.
    """
    keys = keys_in(addresses, api_address(instance.settings, ""))
    wanted = {key for key in keys.values() if key.startswith(f"{SUBMITTED}/")}
    with instance.database.read() as connection, Session(connection) as looking:
        found = list(looking.scalars(select(Image).where(Image.key.in_(wanted))))
    copies = {image.key: _copy(instance, image, caller) for image in found}
    return {address: path_of(copies[key]) for address, key in keys.items() if key in copies}


def _copy(instance: Instance, image: Image, caller: Caller) -> str:
    """Copy an image, or find that staff have it already; returns the key."""
    with instance.database.read() as connection, Session(connection) as looking:
        known = find_duplicate(looking, image.sha256)
    if known is not None:
        return known.key
    now, storage = utcnow(), storage_of(instance)
    copy = Image(
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
    content = storage.get(image.key)
    remember(instance, copy.key)
    with instance.database.transaction() as session:
        kept, _ = keep_once(storage, session, copy, content)
        return kept.key
