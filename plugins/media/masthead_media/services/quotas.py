"""Quotas of visitors in 24 hours, for uploads and for renditions; all servers share the counts."""

from __future__ import annotations

import logging
from datetime import timedelta
from math import ceil
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead import Instance, Refused, insert_into, lock, utcnow
from masthead_media.models import Image, VisitorUsage
from masthead_media.settings import (
    ADDRESS_BYTES,
    ADDRESS_FILES,
    ADDRESS_SECONDS,
    RENDITION_SECONDS,
    SUBMITTED_BYTES,
    SUBMITTED_FILES,
    SUBMITTED_SECONDS,
)

logger = logging.getLogger(__name__)

OVER_QUOTA = "Too many images were uploaded today. Please try again tomorrow."
_DAY = timedelta(days=1)
_COUNTS = ("files", "size", "milliseconds", "scaling_milliseconds")
_UNKNOWN = ""
"""The visitor of requests without an address; only the quotas of all visitors apply to them."""


def check_quotas(instance: Instance, session: Session, visitor: str | None, size: int) -> None:
    """Refuse an upload that would exceed a quota, before it is decoded.

    :param visitor: the result of ``visitor_of``.
    :param size: the number of bytes of the upload.
    :raises Refused: if a quota is exhausted.
    """
    settings = instance.settings
    check_stored(instance, session, size)
    _, _, seconds = _used(session)
    if seconds >= settings[SUBMITTED_SECONDS]:
        raise Refused(OVER_QUOTA)
    if visitor is None:
        return
    _, _, seconds = _used(session, VisitorUsage.visitor == visitor)
    if seconds >= settings[ADDRESS_SECONDS] or not _fits(instance, session, visitor, size):
        raise Refused(OVER_QUOTA)


def check_stored(instance: Instance, session: Session, size: int) -> None:
    """Refuse an image that would exceed the quota of all stored images of visitors.

    :raises Refused: if the quota is exhausted.
    """
    today = (Image.submitted.is_(True), Image.uploaded_at > utcnow() - _DAY)
    sums = select(func.count(), func.coalesce(func.sum(Image.size), 0)).where(*today)
    files, stored = session.execute(sums).one()
    settings = instance.settings
    if files >= settings[SUBMITTED_FILES] or stored + size > settings[SUBMITTED_BYTES]:
        raise Refused(OVER_QUOTA)


def count_upload(instance: Instance, visitor: str | None, size: int, seconds: float) -> None:
    """Count an upload that was decoded or refused, in a transaction of its own.

    :raises Refused: if concurrent uploads have exhausted the visitor's quota. Only the time is
        counted then.
    """
    with instance.database.transaction() as session:
        lock(session, f"media.usage {visitor}")
        fits = visitor is None or _fits(instance, session, visitor, size)
        added = {"files": int(fits), "size": size if fits else 0}
        _add(session, visitor, **added, milliseconds=_milliseconds(seconds))
    if not fits:
        raise Refused(OVER_QUOTA)


def has_scaling_time(instance: Instance, visitor: str | None) -> bool:
    """Whether scaling images for a visitor may take more time."""
    if visitor is None:
        return True
    column = VisitorUsage.scaling_milliseconds
    used = select(func.coalesce(func.sum(column), 0)).where(
        VisitorUsage.hour > utcnow() - _DAY, VisitorUsage.visitor == visitor
    )
    with instance.database.read() as connection:
        milliseconds = int(connection.execute(used).scalar_one())
    return milliseconds < instance.settings[RENDITION_SECONDS] * 1000


def count_scaling(instance: Instance, visitor: str | None, seconds: float) -> None:
    """Count the time of a rendition, in a transaction of its own.

    In maintenance, and while the database refuses writes, it isn't counted: images are shown also
    then, and each rendition is made only once.
    """
    if visitor is None or instance.maintenance.is_on():
        return
    try:
        with instance.database.transaction() as session:
            _add(session, visitor, scaling_milliseconds=_milliseconds(seconds))
    except SQLAlchemyError as error:
        if not instance.database.outage.covers(error):
            logger.warning("The time of scaling an image isn't counted: %s", type(error).__name__)


def forget_usage(session: Session) -> None:
    """Delete the counts of hours that no quota includes any more."""
    session.execute(delete(VisitorUsage).where(VisitorUsage.hour <= utcnow() - _DAY))


def _add(session: Session, visitor: str | None, **added: int) -> None:
    """Add to the counts of a visitor in this hour, in one statement."""
    used: Any = VisitorUsage.__table__.c
    hour = utcnow().replace(minute=0, second=0, microsecond=0)
    row = {"visitor": visitor or _UNKNOWN, "hour": hour, **dict.fromkeys(_COUNTS, 0), **added}
    session.execute(
        insert_into(session, VisitorUsage)
        .values(row)
        .on_conflict_do_update(
            index_elements=["visitor", "hour"],
            set_={name: used[name] + number for name, number in added.items()},
        )
    )


def _milliseconds(seconds: float) -> int:
    # A refusal can be faster than the clock that counts processor time.
    return max(1, ceil(seconds * 1000))


def _used(session: Session, *which: ColumnElement[bool]) -> tuple[int, int, float]:
    """Return the files, bytes and seconds that uploads have used in 24 hours."""
    columns = VisitorUsage.files, VisitorUsage.size, VisitorUsage.milliseconds
    sums = select(*(func.coalesce(func.sum(column), 0) for column in columns))
    recent = sums.where(VisitorUsage.hour > utcnow() - _DAY, *which)
    files, size, milliseconds = map(int, session.execute(recent).one())
    return files, size, milliseconds / 1000


def _fits(instance: Instance, session: Session, visitor: str, size: int) -> bool:
    """Whether a visitor may upload another file of this size."""
    files, sent, _ = _used(session, VisitorUsage.visitor == visitor)
    settings = instance.settings
    return files < settings[ADDRESS_FILES] and sent + size <= settings[ADDRESS_BYTES]
