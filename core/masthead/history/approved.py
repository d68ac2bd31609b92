"""The proof of approvals: the digest of the approved values of each item.

An approval records the values that the approver was shown, before they become public. An edit by a
user who may approve counts as approved, too. Addresses, orders and times of publication follow from
other rules and aren't part of the digest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from masthead.db.upsert import upsert
from masthead.history.models import LIVE, Approved, Revision
from masthead.history.recording import Recorded, ensure_recorded, key_of, settle_approved
from masthead.history.settings import RECORD
from masthead.history.snapshots import Kept, Snapshot, state_of
from masthead.instance import Instance, instance_of


def kept_as(instance: Instance, name: str) -> Kept | None:
    """Return the content type or resource behind a type of the approval calls, if it has one."""
    kind: Any = instance.content_types[name]
    if hasattr(kind, "snapshot"):
        return cast("Kept", kind)
    resources: Mapping[str, Any] = instance.resources
    return next((each for each in resources.values() if each.approval is kind), None)


def begin_approval(session: Session, name: str, item: Any) -> Recorded | None:
    """Record the state of a locked item that is about to be approved; None if none is kept."""
    kept = kept_as(instance_of(session), name)
    if kept is None or not instance_of(session).settings[RECORD]:
        return None
    return ensure_recorded(session, kept, item)


def record_approval(session: Session, item: Any, shown: Recorded) -> None:
    """Record that the values which the approver was shown are approved.

    :param item: the approved item, whose staged edits may wait for their time.
    :param shown: the result of ``begin_approval``.
    """
    settle_approved(session, shown, state_of(session, shown.kept, item, shown.state.snapshot))
    note_approved(session, item, shown)


def note_approved(session: Session, item: Any, recorded: Recorded) -> None:
    """Store the digest of the values that an item may show to the public."""
    digest = approved_digest(recorded.kept, recorded.state.snapshot.values)
    if getattr(item, "staged", None) is not None:
        facts: dict[str, Any] = {"next_digest": digest, "next_number": recorded.number}
    else:
        facts = {"digest": digest, "number": recorded.number}
        facts |= dict.fromkeys(("next_digest", "next_number"))
    key = {"kind": recorded.key.kind, "item": recorded.key.item}
    upsert(session, Approved, key | facts, facts)


def note_live_edit(
    session: Session, kept: Kept, item: Any, recorded: Recorded | None, edits: Collection[str]
) -> None:
    """Note an edit by a user who may approve it, if the item is approved and stays so.

    :param recorded: the revision of the edit; None if none is kept, which ends the proof.
    :param edits: the names of the edited fields, as far as they needed no approval.
    """
    if not edits or item.approval_status != "approved":
        return
    if recorded is not None:
        note_approved(session, item, recorded)
        return
    session.execute(delete(Approved).where(*_is(kept, item)))


def note_live_copy(session: Session, kept: Kept, item: Any, recorded: Recorded | None) -> None:
    """Note an edit of the live copy of an item, beside staged edits, by a user who may approve it.

    :param recorded: the revision of the live copy; None if none is kept, which ends the proof.
    """
    if recorded is None:
        session.execute(delete(Approved).where(*_is(kept, item)))
        return
    digest = approved_digest(kept, recorded.state.snapshot.values)
    facts = {"digest": digest, "number": recorded.number}
    key = {"kind": recorded.key.kind, "item": recorded.key.item}
    upsert(session, Approved, key | facts, facts)


def note_due(session: Session, kept: Kept, item: Any) -> None:
    """Note that the approved edits of an item, which waited for their time, are live now."""
    facts = {"digest": Approved.next_digest, "number": Approved.next_number}
    ended = dict.fromkeys(("next_digest", "next_number"))
    waiting = (*_is(kept, item), Approved.next_digest.is_not(None))
    approved = select(Approved.next_number).where(*waiting).scalar_subquery()
    revision = update(Revision).where(*_is(kept, item, Revision), Revision.number == approved)
    session.execute(revision.values(copy=LIVE).execution_options(synchronize_session=False))
    statement = update(Approved).where(*waiting).values({**facts, **ended})
    session.execute(statement.execution_options(synchronize_session=False))


def approved_digest(kept: Kept, values: Mapping[str, Any]) -> str:
    """Return the digest of those values that an approval covers."""
    return Snapshot({name: values[name] for name in kept.approved_fields if name in values}).digest


def _is(kept: Kept, item: Any, table: type[Approved | Revision] = Approved) -> tuple[Any, ...]:
    key = key_of(kept.name, item.id)
    return (table.kind == key.kind, table.item == key.item)
