"""Noting and listing the users who have an item open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, case, delete, or_, select
from sqlalchemy.orm import Session, joinedload

from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.db import utcnow
from masthead.db.upsert import insert_into
from masthead.instance import Instance, instance_of
from masthead.presence.models import Presence
from masthead.settings import Setting, integer

SECONDS = Setting(
    "masthead.presence.seconds",
    integer(5, 3600),
    "60",
    "Seconds after which a user counts as having left an item, unless their program says again that"
    " it is open.",
    shows=False,
)


def note_presence(
    session: Session, kind: str, item_id: int | str, caller: Caller, *, editing: bool
) -> None:
    """Note that a user has an item open now.

    :param editing: whether they are changing it.
    """
    key = {"kind": kind, "item": str(item_id), "user_id": caller.id}
    now = utcnow()
    facts = {"seen_at": now, "editing": editing}
    oldest = _oldest(instance_of(session), now)
    since = case((Presence.seen_at <= oldest, now), else_=Presence.since)
    noted = insert_into(session, Presence).values(**key, **facts, since=now)
    session.execute(
        noted.on_conflict_do_update(index_elements=list(key), set_={**facts, "since": since})
    )


def forget_presence(session: Session, kind: str, item_id: int | str, caller: Caller) -> None:
    """Note that a user has closed an item."""
    mine = {"kind": kind, "item": str(item_id), "user_id": caller.id}
    session.execute(delete(Presence).filter_by(**mine))


def list_others(
    session: Session, kind: str, item_id: int | str, caller: Caller
) -> Sequence[Presence]:
    """Return the other users who have an item open, in the order in which they came."""
    others = (
        select(Presence)
        .where(Presence.kind == kind, Presence.item == str(item_id))
        .where(is_present(instance_of(session)), Presence.user_id != caller.id)
    )
    in_order = others.order_by(Presence.since, Presence.user_id)
    return session.scalars(in_order.options(joinedload(Presence.user))).all()


def present_users(
    instance: Instance, connection: Connection, items: Mapping[str, Collection[int]]
) -> dict[tuple[str, int], tuple[Any, ...]]:
    """Return the users who have some items open, by item, in the order in which they came.

    :param items: ids by the name of their content type or resource.
    :returns: tuples of the user's id, username and display name, and whether they edit.
    """
    if not items:
        return {}
    named = [
        and_(Presence.kind == kind, Presence.item.in_([str(each) for each in sorted(ids)]))
        for kind, ids in items.items()
    ]
    own = Presence.kind, Presence.item, User.id, User.username, User.display_name
    rows = select(*own, Presence.editing).join(User, User.id == Presence.user_id)
    found = rows.where(or_(*named), is_present(instance))
    present = defaultdict[tuple[str, int], tuple[Any, ...]](tuple)
    for row in connection.execute(found.order_by(Presence.since, Presence.user_id)):
        present[row.kind, int(row.item)] += (tuple(row[2:]),)
    return present


def is_present(instance: Instance) -> Any:
    """Return the condition that a sign of life is not too old."""
    return Presence.seen_at > _oldest(instance, utcnow())


def delete_old(session: Session) -> None:
    """Delete the users who have left."""
    session.execute(delete(Presence).where(~is_present(instance_of(session))))


def _oldest(instance: Instance, now: datetime) -> datetime:
    return now - timedelta(seconds=instance.settings[SECONDS])
