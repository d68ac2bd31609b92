"""List, describe and delete images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, false, func, select, true
from sqlalchemy.orm import Session

from masthead import (
    Caller,
    ImageUse,
    Instance,
    NotFound,
    Page,
    Precondition,
    Refused,
    Window,
    describe_uses,
    record,
)
from masthead_media.keys import image_path, is_key
from masthead_media.models import Image
from masthead_media.services.finding import search_words, searched_text
from masthead_media.services.orphans import delete_bytes_on_commit, record_candidates


def list_images(session: Session, window: Window, query: Mapping[str, Any]) -> Page:
    """Return a page of the images that match a checked query, newest first."""
    found = select(Image).where(*_conditions(query))
    total = session.scalar(select(func.count()).select_from(found.subquery()))
    newest = found.order_by(Image.uploaded_at.desc(), Image.id.desc())
    return Page(list(session.scalars(newest.limit(window.limit).offset(window.offset))), total or 0)


def _conditions(query: Mapping[str, Any]) -> list[ColumnElement[bool]]:
    conditions = [searched_text.contains(word) for word in search_words(query.get("search", ""))]
    if "contentType" in query:
        conditions.append(Image.media_type == query["contentType"])
    if "submitted" in query:
        conditions.append(Image.submitted == (true() if query["submitted"] else false()))
    return conditions


def get_image(session: Session, key: str, *, for_update: bool = False) -> Image:
    """Return an image.

    :param for_update: whether to lock it until the transaction ends.
    :raises NotFound: if there is no such image.
    """
    found = select(Image).where(Image.key == key)
    found = found.with_for_update() if for_update else found
    image = session.scalar(found) if is_key(key) else None
    if image is None:
        raise NotFound
    return image


def describe_image(
    session: Session, key: str, changes: Mapping[str, Any], precondition: Precondition
) -> Image:
    """Set the alternative text of an image.

    :param changes: the checked body by wire name; without ``altText`` the text stays.
    :raises NotFound: if there is no such image.
    """
    image = get_image(session, key, for_update=True)
    precondition.check(image.revision)
    image.alt_text = changes.get("altText", image.alt_text)
    if session.is_modified(image):
        image.revision += 1
    session.flush()
    return image


def delete_image(
    instance: Instance,
    session: Session,
    key: str,
    caller: Caller,
    precondition: Precondition,
    *,
    force: bool,
) -> None:
    """Delete an image for good.

    :param force: whether to delete it even if it is used.
    :raises NotFound: if there is no such image.
    :raises Refused: if it is used, and ``force`` is false.
    """
    image = get_image(session, key, for_update=True)
    precondition.check(image.revision)
    uses = find_uses(instance, session, [key])
    if uses and not force:
        raise Refused(f"The image is used: {describe_uses(uses, caller)}")
    record(
        session,
        "image.delete",
        caller.id,
        content_type="images",
        content_id=image.id,
        key=key,
        uses=len(uses),
    )
    delete_images(session, [image])


def find_uses(instance: Instance, session: Session, keys: Sequence[str]) -> list[ImageUse]:
    """Return all uses of images, from all plugins."""
    paths = [image_path(key) for key in keys]
    answers = instance.hooks.masthead_image_uses(session=session, paths=paths)
    return list(chain.from_iterable(answers))


def delete_images(session: Session, images: Sequence[Image]) -> None:
    """Delete the rows of images now, and their bytes after the commit.

    Bytes that can't be deleted then are left to :func:`~masthead_media.services.orphans.sweep`.
    """
    keys = [image.key for image in images]
    for image in images:
        session.delete(image)
    session.flush()
    record_candidates(session, keys)
    delete_bytes_on_commit(session, keys)
