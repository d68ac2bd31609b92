"""Delete images that visitors uploaded and that nothing uses."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from masthead import instance_of, utcnow
from masthead_media.models import Image
from masthead_media.services.images import delete_images, find_uses
from masthead_media.settings import SUBMITTED_DAYS

_BATCH = 100
_CHECK_INTERVAL = timedelta(days=1)


def delete_unused_submissions(session: Session) -> bool:
    """Delete a batch of visitors' images that are older than the setting says and unused.

    :returns: whether there may be more.
    """
    instance, now = instance_of(session), utcnow()
    due = (
        Image.submitted.is_(True),
        Image.uploaded_at < now - timedelta(days=instance.settings[SUBMITTED_DAYS]),
        or_(Image.asked_at.is_(None), Image.asked_at < now - _CHECK_INTERVAL),
    )
    images = list(session.scalars(select(Image).where(*due).order_by(Image.id).limit(_BATCH)))
    used = {use.path for use in find_uses(instance, session, [image.key for image in images])}
    for image in images:
        image.asked_at = now
    delete_images(session, [image for image in images if image.url not in used])
    return len(images) == _BATCH
