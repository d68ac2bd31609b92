"""Declaring a content type: a mixin for its model, and what the kit makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, Table, Text, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.approval.declaration import Approvable, ApprovableItem
from masthead.content.declaration import check_names
from masthead.content.feed import Feed
from masthead.content.ordering import Order, keep_positions
from masthead.content.staging import apply_staged, live_values, stage_along
from masthead.content.taglinks import tag_links
from masthead.content.visibility import index_hidden
from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.exportable import import_default
from masthead.db.slugs import flush_with_slugs
from masthead.http.paging import MOST_ROWS
from masthead.instance import Instance
from masthead.schemas.field_types import DESCRIPTION, Html, Str, Timestamp
from masthead.schemas.fields import Field, columns_of, field, fields_of, staged_among
from masthead.search.services import index_items


class ContentItem(ApprovableItem):
    """Mixin: the columns that every content type's model has."""

    __kit__ = "content"

    title: Mapped[str] = field(Str(), required=True, sort_order=-19)
    slug: Mapped[str | None] = mapped_column(KEY, unique=True, sort_order=-18)
    description: Mapped[str | None] = field(Str(DESCRIPTION), sort_order=-17)
    first_published_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), sort_order=24)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow, sort_order=25)
    """When it was last published, taken down or changed live; a new name of its author or of a tag
    is no change of it, nor is a tag that goes."""
    scheduled_publish_at: Mapped[datetime | None] = field(
        Timestamp(), public=False, index=True, sort_order=-1
    )
    listed: Mapped[str | None] = mapped_column(
        Text(), deferred=True, sort_order=39, info=import_default(None)
    )
    """The item in public lists as JSON; kept by ``masthead.content.listing``."""
    # Last, so that a row's other columns are read without walking through long texts.
    content: Mapped[str | None] = field(Html(), listed=False, sort_order=40)
    staged: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), sort_order=41)
    """The edited fields of a published item by wire name, until they are approved."""


def _nothing(_values: Mapping[str, Any]) -> None:
    """The check of a content type that has no rule of its own."""


@dataclass(frozen=True)
class ContentType(Approvable):
    """A kind of content with drafts, approval, staging, tags, and staff and public routes.

    The model is a mapped class with :class:`ContentItem`; its further columns are declared with
    ``field()``. Declaring the type completes the model: a table of links to tags, and the column
    ``position`` that lists are ordered by.
    """

    order: str = "-createdAt"
    """The field that lists are ordered by; with a minus, the largest first."""
    staff_order: tuple[str, ...] = ()
    """Fields that order a staff list further."""
    date: str = ""
    """The field that tells how new an item is; where none is named, the one that lists are ordered
    by if it is a time, else ``createdAt``."""
    related_by: tuple[str, ...] = ()
    """Fields that relate items that share them, each counting as a tag."""
    related_fields: tuple[str, ...] = ()
    """What related lists show; the fields of public lists where none are named."""
    search_fields: tuple[str, ...] = ("title", "description", "content")
    """The fields whose words the item is found by."""
    page: int = MOST_ROWS
    """How many items a public list has where no limit is asked for."""
    boundaries: tuple[str, ...] = ()
    """Timestamps whose passing changes what the public sees, beside ``scheduledPublishAt``."""
    upcoming: str = ""
    """The required time that lists are ordered by, where public lists take ``?upcoming=true``,
    which leaves out the items whose time has passed."""
    slug_on_approval: bool = False
    """Whether an item gets its slug at its first approval instead of when it is created."""
    list_content: bool = False
    """Whether public lists show the content."""
    feed: Feed | None = None
    """How feeds show the items; without it they have none."""
    check: Callable[[Mapping[str, Any]], None] = _nothing
    """Raises ``Invalid`` for values that don't fit together; gets all of them by wire name."""
    first_published: Callable[[Any, datetime | None, datetime | None], None] | None = None
    """Called at each approval, edit and publishing with an item, the time from which the public
    first saw it or will see it, and that time as it was before: it moves with the schedule until it
    has come, and is None where an item was taken down before that."""
    unpublished: Callable[[Session, Sequence[int]], None] | None = None
    """Called with the ids of items that the public saw and sees no longer, in the transaction that
    takes them down, withholds or deletes them."""

    columns: Mapping[str, Column[Any]] = dataclass_field(init=False)
    """The columns that the model declares, by wire name."""
    fields: tuple[Field, ...] = dataclass_field(init=False)
    """The writable fields."""
    links: Table = dataclass_field(init=False)
    """The links to tags."""

    def __post_init__(self) -> None:
        """Complete the model.

        :raises StartError: for a name that can't be, or one of a field that isn't there.
        """
        super().__post_init__()
        object.__setattr__(self, "columns", columns_of(self.model))
        object.__setattr__(self, "fields", fields_of(self.model))
        object.__setattr__(self, "date", self.date or self._usual_date())
        check_names(self)
        order = Order(self.column(self.order.removeprefix("-")), self.newest_first)
        object.__setattr__(self, "links", tag_links(self.model, order))
        keep_positions(self.model, self.links, order)
        index_hidden(self.table)
        Index(
            f"ix_{self.table.name}_unlisted",
            self.table.c.id,
            sqlite_where=text("listed IS NULL AND published = 1"),
            postgresql_where=text("listed IS NULL AND published"),
        )

    def _usual_date(self) -> str:
        ordered_by = self.order.removeprefix("-")
        column = self.columns.get(ordered_by)
        is_time = column is not None and isinstance(column.type, UTCDateTime)
        return ordered_by if is_time else "createdAt"

    @property
    def staged_fields(self) -> tuple[Field, ...]:
        """The fields whose edits are approved."""
        return tuple(f for f in self.fields if f.staged)

    @property
    def newest_first(self) -> bool:
        """Whether lists begin with the largest value of the ordering field."""
        return self.order.startswith("-")

    @property
    def table(self) -> Table:
        """The model's table."""
        table: Table = self.model.__table__
        return table

    def column(self, name: str) -> Column[Any]:
        """The column behind a wire name."""
        return self.columns[name]

    def shown_title(self, item: Any) -> str:
        """The title as staff see it: the staged one where there is one."""
        staged = item.staged or {}
        counting = {f.name: staged[f.name] for f in staged_among(self.fields, staged)}
        title: str = counting.get("title", item.title)
        return title

    def approved(self, session: Session, item: Any, now: datetime) -> None:
        """Write the staged fields through and publish."""
        if item.staged is not None:
            apply_staged(session, self, item)
            index_items(session, self, [item])
        item.published = True
        item.changed_at = now
        if item.slug is None:
            flush_with_slugs(session, self.model, [(item, item.title)])
        self.date_first_publishing(item, now)

    def rejected(self, item: Any) -> None:
        """Take down what has no live copy; a live copy stays, and its staged edits too."""
        item.published = item.published and item.staged is not None
        self.date_first_publishing(item, utcnow())

    def date_first_publishing(self, item: Any, now: datetime) -> None:
        """Say from when on the public sees an item, unless it has seen it before.

        The item gets what it owes to that too, also where a save cleared it.
        """
        before = item.first_published_at
        if before is None or before > now:
            due = max(now, item.scheduled_publish_at or now)
            item.first_published_at = due if item.published else None
        if self.first_published is not None and (before or item.first_published_at):
            live = live_values(self, item)
            self.first_published(item, item.first_published_at, before)
            stage_along(self, item, live)


def content_types_of(instance: Instance) -> list[ContentType]:
    """The content types among what the enabled plugins let be approved."""
    return [kind for kind in instance.content_types.values() if isinstance(kind, ContentType)]
