"""What the worker removes: images of visitors that nothing names, and bytes without a row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from masthead import Instance, instance_of, utcnow
from masthead_media.keys import original_of
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.keeping import remove, uses_of
from masthead_media.settings import SUBMITTED_DAYS

_PORTION = 100
_AGAIN = timedelta(days=1)
_IN_FLIGHT = timedelta(days=1)
"""How old bytes are at least before nobody can be about to write their row any more."""


def forget_submissions(session: Session) -> bool:
    """Remove a portion of the images that visitors uploaded a while ago and nothing names.

    :returns: whether there may be more.
    """
    instance, now = instance_of(session), utcnow()
    due = (
        Image.submitted.is_(True),
        Image.uploaded_at < now - timedelta(days=instance.settings[SUBMITTED_DAYS]),
        or_(Image.asked_at.is_(None), Image.asked_at < now - _AGAIN),
    )
    images = list(session.scalars(select(Image).where(*due).order_by(Image.id).limit(_PORTION)))
    used = {use.path for use in uses_of(instance, session, [image.key for image in images])}
    for image in images:
        image.asked_at = now
    remove(storage_of(instance), session, [image for image in images if image.url not in used])
    return len(images) == _PORTION


def sweep(instance: Instance, may_go_on: Callable[[], bool]) -> None:
    """Delete bytes without a row, as a crash between storing and committing leaves them."""
    storage, before = storage_of(instance), utcnow() - _IN_FLIGHT
    for portion in storage.list():
        if not may_go_on():
            return
        storage.delete(_orphans(instance, portion, before))


def _orphans(instance: Instance, stored: list[tuple[str, datetime]], before: datetime) -> list[str]:
    old = {key: original_of(key) for key, at in stored if at < before}
    with instance.database.read() as connection:
        known = set(connection.scalars(select(Image.key).where(Image.key.in_(old.values()))))
    return [key for key, original in old.items() if original not in known]
