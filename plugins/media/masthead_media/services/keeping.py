"""Listing images, describing and deleting them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from masthead import Caller, ImageUse, Instance, NotFound, Page, Refused, Window, record
from masthead_media.keys import is_key, path_of
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.leftovers import discard, remember_again
from masthead_media.storage import Storage

_MOST_NAMED = 10


def list_images(session: Session, window: Window) -> Page:
    """A page of all images, newest first."""
    total = session.scalar(select(func.count()).select_from(Image))
    newest = select(Image).order_by(Image.uploaded_at.desc(), Image.id.desc())
    return Page(list(session.scalars(newest.limit(window.limit).offset(window.offset))), total or 0)


def describe_image(session: Session, key: str, changes: Mapping[str, Any]) -> Image:
    """Say what an image shows, for who doesn't see it.

    :param changes: checked values by wire name; what isn't named stays.
    :raises NotFound: where there is no such image.
    """
    image = _lock_image(session, key)
    image.alt_text = changes.get("altText", image.alt_text)
    session.flush()
    return image


def delete_image(
    instance: Instance, session: Session, key: str, caller: Caller, *, force: bool
) -> None:
    """Delete an image for good.

    :param force: whether it goes even where something names it.
    :raises NotFound: where there is no such image.
    :raises Refused: where something names it, and nothing forces the delete.
    """
    image = _lock_image(session, key)
    uses = uses_of(instance, session, [key])
    if uses and not force:
        raise Refused(f"The image is used: {_words(uses)}")
    record(
        session,
        "image.delete",
        caller.id,
        content_type="images",
        content_id=image.id,
        key=key,
        uses=len(uses),
    )
    remove(storage_of(instance), session, [image])


def uses_of(instance: Instance, session: Session, keys: Sequence[str]) -> list[ImageUse]:
    """All that names one of some images."""
    paths = [path_of(key) for key in keys]
    answers = instance.hooks.masthead_image_uses(session=session, paths=paths)
    return list(chain.from_iterable(answers))


def remove(storage: Storage, session: Session, images: Sequence[Image]) -> None:
    """Delete images: their rows now, their bytes once that is committed, or as leftovers."""
    keys = [image.key for image in images]
    for image in images:
        session.delete(image)
    session.flush()
    remember_again(session, keys)

    def delete_bytes(committed: Session) -> None:
        # The event comes for savepoints too.
        if not committed.in_nested_transaction():
            discard(storage, keys)

    event.listen(session, "after_commit", delete_bytes)


def _lock_image(session: Session, key: str) -> Image:
    found = select(Image).where(Image.key == key).with_for_update()
    image = session.scalar(found) if is_key(key) else None
    if image is None:
        raise NotFound
    return image


def _words(uses: Sequence[ImageUse]) -> str:
    named = [f"{use.kind} {use.id}" + (f" ({use.title})" if use.title else "") for use in uses]
    rest = len(named) - _MOST_NAMED
    return ", ".join(named[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")
