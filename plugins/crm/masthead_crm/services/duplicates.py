"""Contacts that may be one person, offered to staff for merging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from sqlalchemy import Select, Subquery, and_, case, delete, func, literal, select, union_all
from sqlalchemy.orm import Session, aliased

from masthead import Page, ProblemCode, Window, insert_into, wrong_field
from masthead_crm.models import Contact, ContactTag, DistinctContacts
from masthead_crm.services.matching import PHONE_END

EMAIL, NAME_AND_PHONE, PHONE, NAME_AND_TAG = "email", "name-and-phone", "phone", "name-and-tag"
REASONS: Final = (EMAIL, NAME_AND_PHONE, PHONE, NAME_AND_TAG)
"""The reasons to suspect that contacts are one person, the strongest first."""
MAX_SHOWN = 20
"""The maximum number of contacts of a group that are shown."""


def list_duplicates(session: Session, window: Window, reason: str | None) -> Page:
    """Return a page of groups of contacts that may be one person.

    :param reason: keeps only the groups with this reason.
    """
    reasons = REASONS if reason is None else (reason,)
    groups = union_all(*(_groups(each) for each in reasons)).subquery()
    rank = case({each: place for place, each in enumerate(REASONS)}, value=groups.c.reason)
    # Counted by the same statement, because grouping all contacts takes most of the time.
    counted = select(groups, func.count().over().label("total"))
    ordered = counted.order_by(rank, groups.c.first, groups.c.key)
    found = session.execute(ordered.limit(window.limit).offset(window.offset)).all()
    if found or not window.offset:
        total = found[0].total if found else 0
    else:
        total = session.scalar(select(func.count()).select_from(groups)) or 0
    shown = _members_of(session, [(row.reason, row.key) for row in found])
    items = [
        {"reason": row.reason, "count": row.count, "contacts": shown[row.reason, row.key]}
        for row in found
    ]
    return Page(items, total)


def set_distinct(session: Session, ids: Sequence[int], *, distinct: bool) -> None:
    """Record that contacts are different persons, so that they are no longer offered together.

    :param distinct: False to offer them again.
    :raises Invalid: if a contact doesn't exist.
    """
    wanted = sorted(set(ids))
    if len(wanted) < 2:
        raise wrong_field("ids", ProblemCode.TOO_FEW, "Must be at least two contacts", limit=2)
    # Ordered as in a merge, so that both don't deadlock.
    rows = select(Contact.id).where(Contact.id.in_(wanted)).order_by(Contact.id).with_for_update()
    missing = set(wanted) - set(session.scalars(rows))
    if missing:
        raise wrong_field("ids", ProblemCode.UNKNOWN_ID, f"There is no contact {min(missing)}")
    columns = DistinctContacts.contact_id, DistinctContacts.other_id
    if distinct:
        pairs = [{"contact_id": one, "other_id": other} for one, other in combinations(wanted, 2)]
        session.execute(insert_into(session, DistinctContacts).on_conflict_do_nothing(), pairs)
    else:
        session.execute(delete(DistinctContacts).where(*(each.in_(wanted) for each in columns)))


def _members(reason: str) -> Select[Any]:
    """Return the query of the contacts with the text in which those of a group agree."""
    contact: Any = Contact
    name, phone = contact.name_key, contact.phone_key
    columns = contact.id.label("id"), name.label("name_key")
    if reason == EMAIL:
        return select(contact.mailbox_key.label("key"), *columns).where(
            contact.mailbox_key.is_not(None)
        )
    if reason == PHONE:
        return select(phone.label("key"), *columns).where(phone.is_not(None))
    if reason == NAME_AND_PHONE:
        end = func.substr(phone, func.length(phone) - (PHONE_END - 1))
        return select((name + " " + end).label("key"), *columns).where(phone.is_not(None))
    repeated = select(name).group_by(name).having(func.count() > 1)
    return (
        select((name + " " + ContactTag.tag_key).label("key"), *columns)
        .join(ContactTag, ContactTag.item_id == contact.id)
        .where(name.in_(repeated))
    )


def _groups(reason: str) -> Select[Any]:
    """Return the query of the groups that have two contacts which staff haven't told apart."""
    members = _members(reason).subquery()
    told_apart = _pairs_told_apart(members)
    count = func.count()
    pairs = count * (count - 1) / 2
    conditions = [count > 1, pairs > func.coalesce(func.max(told_apart.c.pairs), 0)]
    if reason == PHONE:
        # Another reason covers those who also have the same name.
        conditions.append(func.count(members.c.name_key.distinct()) > 1)
    return (
        select(
            literal(reason).label("reason"),
            members.c.key,
            count.label("count"),
            func.min(members.c.id).label("first"),
        )
        .select_from(members)
        .outerjoin(told_apart, told_apart.c.key == members.c.key)
        .group_by(members.c.key)
        .having(and_(*conditions))
    )


def _pairs_told_apart(members: Subquery) -> Subquery:
    one, other = aliased(members), aliased(members)
    return (
        select(one.c.key, func.count().label("pairs"))
        .select_from(DistinctContacts)
        .join(one, one.c.id == DistinctContacts.contact_id)
        .join(other, and_(other.c.id == DistinctContacts.other_id, other.c.key == one.c.key))
        .group_by(one.c.key)
        .subquery()
    )


def _members_of(
    session: Session, groups: Sequence[tuple[str, str]]
) -> Mapping[tuple[str, str], list[Contact]]:
    """Return the first contacts of each group."""
    found: dict[tuple[str, str], list[Contact]] = {group: [] for group in groups}
    for reason in REASONS:
        keys = [key for each, key in groups if each == reason]
        if not keys:
            continue
        members = _members(reason).subquery()
        place = func.row_number().over(partition_by=members.c.key, order_by=members.c.id)
        numbered = select(members.c.key, members.c.id, place.label("place"))
        first = numbered.where(members.c.key.in_(keys)).subquery()
        rows = select(first.c.key, Contact).join(Contact, Contact.id == first.c.id)
        shown = rows.where(first.c.place <= MAX_SHOWN).order_by(Contact.id)
        for key, contact in session.execute(shown):
            found[reason, key].append(contact)
    return found
