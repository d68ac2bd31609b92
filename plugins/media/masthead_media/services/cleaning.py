"""What the worker removes: images of visitors that nothing names."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from masthead import instance_of, utcnow
from masthead_media.models import Image
from masthead_media.services import storage_of
from masthead_media.services.keeping import remove, uses_of
from masthead_media.settings import SUBMITTED_DAYS

_PORTION = 100
_AGAIN = timedelta(days=1)


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
