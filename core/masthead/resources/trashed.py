"""The table of the trash: deleted items as they were, until they are restored or purged.

A deleted item leaves its table, so nothing else has to know the trash. Its revisions and the
digests of its approved values stay in their tables until it is purged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import orjson
from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, insert, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from masthead.auth.caller import Caller
from masthead.db import ID, KEY, UTCDateTime, fold, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.errors import NotFound
from masthead.history.values import compress, decompress
from masthead.instance import instance_of
from masthead.resources.external_ids import ExternalId
from masthead.resources.former_slugs import FormerSlug
from masthead.resources.redirects import Redirect
from masthead.schemas.field_types import Str
from masthead.schemas.schema import ListOf
from masthead.schemas.stored import checked_as
from masthead.settings import Setting, integer
from masthead.transfer.tables import exportable_table

if TYPE_CHECKING:
    from masthead.auth.models import User

KEEP_DAYS = Setting(
    "masthead.trash.keep",
    integer(0, 36_500),
    "30",
    "Number of days for which deleted content, and deleted items of resources with a trash, can be"
    " restored; 0 deletes them at once.",
    shows=False,
)
ABOUT: Sequence[type[Any]] = (FormerSlug, Redirect, ExternalId)
"""The tables with rows about items, by their columns ``kind`` and ``item_id``."""
_TITLES = ("title", "name", "label", "subject")
"""The attributes that can name an item, the best one first."""
_TITLE = 200
"""The number of characters of a title that are kept, as the database limits those of an index."""
_ADDRESS = re.compile(r"""(?<!<)[^\s"'<>]*/[^\s"'<>]+""")
"""A part of a text that can be the address of an image."""
_LONGEST = 2_000
"""The number of characters of an address; longer ones contain the image itself."""


class TrashedItem(Base):
    """A deleted item."""

    __tablename__ = "core_trash"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    kind: Mapped[str] = mapped_column(KEY)
    """The name of the content type or resource."""
    item_id: Mapped[int] = mapped_column(ID)
    title: Mapped[str]
    """Its title for staff; blank if it has none."""
    title_key: Mapped[str] = mapped_column(KEY)
    """The title folded by ``fold``, by which it is found."""
    deleted_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("core_user.id"), index=True)
    client: Mapped[str | None]
    """The name that the program of the delete gave itself."""
    images: Mapped[list[str]] = mapped_column(JSON, info=checked_as(ListOf(Str(_LONGEST))))
    """The addresses in its texts, some of which lead to images."""
    size: Mapped[int] = mapped_column(ID)
    """The number of bytes before the compression."""
    data: Mapped[bytes] = mapped_column(LargeBinary())
    """A ``StoredItem``."""

    user: Mapped[User | None] = relationship("User")

    __table_args__ = (
        Index(None, "kind", "id", "title_key"),
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )


class Trashable(Protocol):
    """A content type, or a resource whose deleted items go to the trash."""

    @property
    def name(self) -> str:
        """The name of the content type or resource."""

    @property
    def model(self) -> Any:
        """The model of the items."""

    @property
    def trash(self) -> bool:
        """Whether deleted items go to the trash."""

    def link_names(
        self, session: Session, ids: Sequence[int]
    ) -> Mapping[int, Mapping[str, Mapping[int, str]]]:
        """Return the names of linked rows by the item's id, the name of the links, and their id."""


@dataclass(frozen=True)
class StoredItem:
    """All that the database has about an item, as JSON values."""

    row: Mapping[str, Any]
    """The columns of its own row."""
    links: Mapping[str, Mapping[int, str]] = dataclass_field(default_factory=dict)
    """The names of linked rows, by the name of the links, such as ``tagIds``, and by id."""
    about: Mapping[str, Sequence[Mapping[str, Any]]] = dataclass_field(default_factory=dict)
    """Its rows in the tables of ``ABOUT``, by the name of the table."""

    def dump(self) -> bytes:
        """Return the item as a JSON object."""
        return orjson.dumps(asdict(self), option=orjson.OPT_NON_STR_KEYS)

    @classmethod
    def read(cls, trashed: TrashedItem) -> StoredItem:
        """Return a deleted item.

        :raises NotFound: if its data are damaged.
        """
        try:
            found = orjson.loads(decompress(trashed.data, trashed.size))
            links, about = found["links"], found["about"]
            return cls(
                dict(found["row"]),
                {n: {int(each): str(links[n][each]) for each in links[n]} for n in links},
                {n: [dict(row) for row in about[n]] for n in about},
            )
        except (ValueError, TypeError, KeyError):
            raise NotFound("The data of this item are damaged") from None


def move_to_trash(
    session: Session, kind: Trashable, items: Sequence[Any], caller: Caller | None
) -> bool:
    """Store flushed items that are about to be deleted.

    :returns: False if they don't go to the trash, so that nothing of them is kept.
    """
    if not kind.trash or not instance_of(session).settings[KEEP_DAYS]:
        return False
    now, stored = utcnow(), dict(_read(session, kind, [item.id for item in items]))
    rows = []
    for item in items:
        text, title = stored[item.id].dump(), _title(kind, item)
        row = {
            "kind": kind.name,
            "item_id": item.id,
            "title": title,
            "title_key": fold(title)[:_TITLE],
            "deleted_at": now,
            "user_id": None if caller is None else caller.id,
            "client": None if caller is None else caller.client,
            "images": sorted(set(_addresses(stored[item.id].row.values()))),
            "size": len(text),
            "data": compress(text),
        }
        rows.append(row)
    if rows:
        session.execute(insert(TrashedItem), rows)
    return True


def _read(
    session: Session, kind: Trashable, ids: Sequence[int]
) -> Iterator[tuple[int, StoredItem]]:
    """Yield all that the database has about items, by their ids."""
    table = exportable_table(kind.model.__table__, instance_of(session).settings)
    links, about = kind.link_names(session, ids), _read_about(session, kind.name, ids)
    rows = select(*table.columns).where(table.table.c.id.in_(ids))
    for row in session.connection().execute(rows).mappings():
        yield (
            row["id"],
            StoredItem(table.dump(dict(row)), links.get(row["id"], {}), about[row["id"]]),
        )


def _read_about(
    session: Session, kind: str, ids: Sequence[int]
) -> Mapping[int, dict[str, list[Mapping[str, Any]]]]:
    """Return the rows in the tables of ``ABOUT``, by the items' ids and the tables' names."""
    found = defaultdict[int, dict[str, list[Mapping[str, Any]]]](dict)
    for model in ABOUT:
        table = exportable_table(model.__table__, instance_of(session).settings)
        columns = table.table.c
        rows = select(*table.columns).where(columns.kind == kind, columns.item_id.in_(ids))
        for row in session.connection().execute(rows).mappings():
            found[row["item_id"]].setdefault(table.name, []).append(table.dump(dict(row)))
    return found


def _title(kind: Any, item: Any) -> str:
    """Return the title of an item as staff see it, as far as it is kept."""
    shown = getattr(kind, "shown_title", None)
    if shown is not None:
        return str(shown(item))[:_TITLE]
    return next((str(getattr(item, n)) for n in _TITLES if getattr(item, n, None)), "")[:_TITLE]


def _addresses(values: Iterable[Any]) -> Iterator[str]:
    """Yield the addresses in JSON values."""
    for value in values:
        if isinstance(value, str):
            yield from (each for each in _ADDRESS.findall(value) if len(each) <= _LONGEST)
        elif isinstance(value, Mapping):
            yield from _addresses(value.values())
        elif isinstance(value, list):
            yield from _addresses(value)
