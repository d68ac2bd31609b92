"""The addresses of items in former systems, which redirect to their present addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlsplit

from sqlalchemy import CheckConstraint, Index
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.db import ID, KEY
from masthead.db.base import Base
from masthead.db.upsert import insert_into

MAX_LENGTH = 2_000
_KEPT = "/:@!$&'()*+,;=~"
"""The characters of a path that are not escaped; letters, digits, ``-``, ``.`` and ``_`` neither
are."""


class Redirect(Base):
    """A former path of the website, and the item or the path that it leads to."""

    __tablename__ = "core_redirect"
    __table_args__ = (
        CheckConstraint("(item_id IS NULL) <> (target IS NULL)", name="one_target"),
        Index(None, "kind", "item_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    path: Mapped[str] = mapped_column(KEY, unique=True)
    """The result of ``former_path``."""
    kind: Mapped[str | None] = mapped_column(KEY)
    """The name of the item's content type or resource."""
    item_id: Mapped[int | None] = mapped_column(ID)
    target: Mapped[str | None] = mapped_column(KEY)
    """A path of the website; None for an item."""


def former_path(address: str) -> str:
    """Return the path of an address in the form in which redirects are stored and found.

    It has its query, but no fragment and no slash at the end. Characters are escaped where they
    have to be.

    :param address: a path, or an absolute address.
    :raises ValueError: for anything else, and for the start page.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        raise ValueError("Must be an address or a path") from None
    absolute = parts.scheme in ("http", "https") and parts.netloc
    if not absolute and (parts.scheme or parts.netloc or not parts.path.startswith("/")):
        raise ValueError("Must be an address or a path that starts with a slash")
    # A form or a proxy may have escaped more or less than another one.
    path = quote(unquote_to_bytes("/" + parts.path.strip("/")), safe=_KEPT)
    query = quote(unquote_to_bytes(parts.query), safe=_KEPT + "?")
    if path == "/" and not query:
        raise ValueError("The start page can't redirect to an item")
    full = f"{path}?{query}" if query else path
    if len(full) > MAX_LENGTH:
        raise ValueError(f"At most {MAX_LENGTH} characters")
    return full


def add_redirects(session: Session, kind: str, items: Mapping[str, int]) -> None:
    """Redirect former paths to items; a path that redirects to another item changes its target.

    :param kind: the name of the items' content type or resource.
    :param items: the ids of the items by former path.
    """
    rows = [{"path": path, "kind": kind, "item_id": item_id} for path, item_id in items.items()]
    _store(session, rows)


def add_path_redirects(session: Session, targets: Mapping[str, str]) -> None:
    """Redirect former paths to paths of the website, such as lists and pages of other programs.

    :param targets: the present paths by former path.
    """
    _store(session, [{"path": path, "target": to} for path, to in targets.items() if path != to])


def _store(session: Session, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    statement = insert_into(session, Redirect)
    new = statement.excluded
    replaced = {"kind": new.kind, "item_id": new.item_id, "target": new.target}
    complete = [{"kind": None, "item_id": None, "target": None, **row} for row in rows]
    session.execute(
        statement.on_conflict_do_update(index_elements=[Redirect.path], set_=replaced), complete
    )
