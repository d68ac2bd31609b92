"""Making contacts of the rows of a file that lie in a temporary table."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    MetaData,
    Table,
    Text,
    exists,
    func,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.orm import Session

from masthead import (
    KEY,
    PRIVATE,
    UTCDateTime,
    index_selected,
    insert_into,
    lock,
    record,
    utcnow,
)
from masthead_crm.models import Contact, ContactTag, MergedAddress

STAGED = Table(
    "crm_staged_contact",
    MetaData(),
    Column("number", BigInteger),
    Column("id", BigInteger),
    Column("name", Text),
    Column("email", Text),
    Column("email_key", KEY),
    Column("phone", Text),
    Column("status", Text),
    Column("tags", JSON),
    Column("tag_keys", JSON),
    Column("notes", Text),
    Column("tokens", Text),
    Column("runs", Text),
    prefixes=["TEMPORARY"],
    info=PRIVATE,
)
"""Checked rows in the order of the file; those that become contacts get an id."""

_NEXT_ON_SQLITE = text(
    "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'crm_contact'"
)


def count_new(session: Session) -> tuple[int, int]:
    """How many of the staged rows would become contacts, and how many there are."""
    return _count_staged(session, _is_new()), _count_staged(session)


def store_new(session: Session, actor_id: int | None) -> tuple[int, int]:
    """Make contacts of the staged rows whose address nobody has yet; the first one has it.

    :returns: how many were made, and how many rows are staged.
    """
    # Two files that name the same people in another order would wait for each other.
    lock(session, "crm.import")
    session.execute(update(STAGED).where(_is_new()).values(id=_next_id(session)))
    _insert_contacts(session)
    # On PostgreSQL another transaction may have taken an address meanwhile.
    made = STAGED.c.id.in_(select(Contact.id)) if _on_postgresql(session) else _has_id()
    imported, staged = _count_staged(session, made), _count_staged(session)
    _insert_tags(session, made)
    texts = select(STAGED.c.id, STAGED.c.tokens, STAGED.c.runs).where(made)
    index_selected(session, "contacts", texts)
    record(session, "contacts.import", actor_id, content_type="contacts", imported=imported)
    return imported, staged


def _is_new() -> ColumnElement[bool]:
    first = (
        select(func.min(STAGED.c.number))
        .where(STAGED.c.email_key.is_not(None))
        .group_by(STAGED.c.email_key)
    )
    taken = exists().where(Contact.email_key == STAGED.c.email_key)
    merged = exists().where(MergedAddress.email_key == STAGED.c.email_key)
    return STAGED.c.email_key.is_(None) | (STAGED.c.number.in_(first) & ~taken & ~merged)


def _has_id() -> ColumnElement[bool]:
    return STAGED.c.id.is_not(None)


def _count_staged(session: Session, *conditions: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).select_from(STAGED).where(*conditions)) or 0


def _on_postgresql(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


def _next_id(session: Session) -> ColumnElement[Any]:
    """The id of a row's contact; the transaction keeps SQLite's other writers away."""
    if _on_postgresql(session):
        return func.nextval(func.pg_get_serial_sequence("crm_contact", "id"))
    return STAGED.c.number + (session.scalar(_NEXT_ON_SQLITE) or 0)


def _insert_contacts(session: Session) -> None:
    shared = ("id", "name", "email", "email_key", "phone", "status", "tags", "notes")
    now = literal(utcnow(), UTCDateTime())
    rows = select(*(STAGED.c[name] for name in shared), literal(1), now, now).where(_has_id())
    columns = [*shared, "revision", "created_at", "updated_at"]
    statement = insert_into(session, Contact).from_select(columns, rows)
    session.execute(statement.on_conflict_do_nothing())


def _insert_tags(session: Session, made: ColumnElement[bool]) -> None:
    expand = func.json_array_elements_text if _on_postgresql(session) else func.json_each
    keys = expand(STAGED.c.tag_keys).table_valued("value")
    rows = (
        select(Contact.id, keys.c.value, Contact.created_at, Contact.status)
        .select_from(STAGED)
        .join(Contact, Contact.id == STAGED.c.id)
        .join(keys, literal(value=True))
        .where(made)
    )
    columns = ["item_id", "tag_key", "created_at", "status"]
    session.execute(insert(ContactTag).from_select(columns, rows))
