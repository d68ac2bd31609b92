"""The declaration of a content type: its options, and the columns and tables that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any, ClassVar, Literal

from sqlalchemy import Column, ColumnElement, FromClause, Index, Table, func, select, text
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable, ScheduledChange
from masthead.auth.caller import Caller
from masthead.content.declaration import check_names
from masthead.content.feed import Feed
from masthead.content.field_filters import FieldFilter, check_parameters, filters_of, index_filters
from masthead.content.judged_writes import judge_writes
from masthead.content.ordering import Order, keep_positions
from masthead.content.period import Period, index_period
from masthead.content.scheduled_changes import changes_of
from masthead.content.slugs import Naming, settle_slug
from masthead.content.staging import (
    StagedCopy,
    apply_staged,
    live_values,
    staff_tag_names,
    staff_values,
    staged_values,
    sync_unedited,
)
from masthead.content.taglinks import TAG_IDS, live_tag_ids, live_tag_names, tag_links, tag_texts
from masthead.content.times import TIMES, UNPUBLISH, check_times
from masthead.content.visibility import Expiry, index_hidden, visible
from masthead.content.waiting import has_to_wait, index_waiting
from masthead.db import UTCDateTime, utcnow
from masthead.errors import ProblemCode, wrong_field
from masthead.history.snapshots import Snapshot, dump_fields
from masthead.http.paging import MOST_ROWS
from masthead.instance import Instance
from masthead.references.reading import names_of
from masthead.resources.callbacks import Callbacks, ItemSave, watch_commits
from masthead.schemas.computed import Computed, check_computed
from masthead.schemas.field_types import Timestamp
from masthead.schemas.fields import Field, columns_of, fields_of, staged_among, with_example
from masthead.schemas.slugs import SLUG_FIELD
from masthead.schemas.stored import checked_as
from masthead.search.searchable import LinkedText
from masthead.search.services import index_items
from masthead.tags.models import Tag


@dataclass(frozen=True)
class ContentType(Approvable, Callbacks):
    """A kind of content with drafts, approval, staging, tags, and staff and public routes.

    The model is a mapped class with :class:`ContentItem`; its further columns are declared with
    ``field()``. The declaration adds a table of links to tags, and the column ``position``, by
    which lists are ordered.
    """

    order: str = "-createdAt"
    """The field that lists are ordered by; a minus means descending. Nulls come last."""
    public_orders: tuple[str, ...] = ()
    """The public fields that ``?sort=`` sorts public lists by, besides ``id`` and ``updatedAt``; by
    default the title, and the fields of ``order`` and ``date`` if they are public."""
    computed: Mapping[str, Computed] = dataclass_field(default_factory=dict)
    """Further fields of public and staff answers, by wire name, which nobody writes. In staff
    answers, expressions use the live values."""
    public_filters: tuple[str, ...] = ()
    """The public fields that public and staff lists are filtered by, as query parameters: a text, a
    choice, an integer, a boolean or an element of a list under its name; a time, a day or a number
    as ``…From`` and ``…To``. Each column gets an index, that of a list on
    PostgreSQL only."""
    staff_filters: tuple[str, ...] = ()
    """Further fields that staff lists are filtered by."""
    staff_order: tuple[str, ...] = ()
    """Further fields that staff lists are ordered by."""
    date: str = ""
    """The field with an item's date, by which newer items are found; by default the field that
    lists are ordered by if it is a time, else ``createdAt``."""
    related_by: tuple[str, ...] = ()
    """Fields whose equal values relate items, each as much as a shared tag."""
    related_fields: tuple[str, ...] = ()
    """The fields of lists of related items; by default those of public lists."""
    search_fields: tuple[str, ...] = ("title", "description", "content")
    """The text fields that a search looks into."""
    page: int = MOST_ROWS
    """The default limit of public lists."""
    visibility_fields: tuple[str, ...] = ()
    """Times, besides ``scheduledPublishAt``, at which public answers change without a write."""
    expires: str = ""
    """The field with the time at which an item vanishes, besides ``scheduledUnpublishAt``: the
    earlier one counts. Empty for none."""
    detail: Literal["closed", "open"] = "closed"
    """Whether the public can still read an item alone that has vanished by ``expires``: ``open``
    adds ``expired`` to public answers."""
    upcoming: str = ""
    """The field for ``?upcoming=true`` in public lists, which leaves out the items whose time has
    passed: a required time that lists are ordered by. Empty for no such parameter."""
    period: Period | None = None
    """The fields with the time over which an item lasts; None for items without a duration."""
    slug_on_approval: bool = False
    """Whether an item gets its slug at its first approval instead of at its creation."""
    list_content: bool = False
    """Whether public lists show the content."""
    feed: Feed | None = None
    """The form of the items in feeds; None for no feeds."""
    example: Mapping[str, Any] = dataclass_field(default_factory=dict)
    """JSON values by wire name of an example item, for the OpenAPI document."""
    first_published: str = ""
    """The public field that is set to the time when the public first sees an item, unless staff
    have set another time, so that it is never null in public answers. It follows the item's
    schedule until that time has passed. Empty for none."""
    unpublished: Callable[[Session, Sequence[int]], None] | None = None
    """React to items that the public no longer sees; gets their ids, in the transaction that
    unpublishes, postpones or deletes them. It isn't called for items that vanish by themselves."""

    trash: ClassVar[bool] = True
    """Whether deleted items go to the trash: always."""

    columns: Mapping[str, Column[Any]] = dataclass_field(init=False)
    """The columns of the model, by wire name."""
    fields: tuple[Field, ...] = dataclass_field(init=False)
    """The writable fields."""
    links: Table = dataclass_field(init=False)
    """The table of links to tags."""
    filters: tuple[FieldFilter, ...] = dataclass_field(init=False)
    """The filters of public lists by ``public_filters``."""
    all_filters: tuple[FieldFilter, ...] = dataclass_field(init=False)
    """The filters of staff lists by fields."""

    def __post_init__(self) -> None:
        """Add the columns and tables of the kit to the model, and check the options.

        :raises StartError: for a malformed name, or an option that names a missing field.
        """
        super().__post_init__()
        object.__setattr__(self, "columns", columns_of(self.model))
        object.__setattr__(self, "fields", with_example(fields_of(self.model), self.example))
        object.__setattr__(self, "date", self.date or self._default_date())
        object.__setattr__(self, "public_orders", self.public_orders or self._default_orders())
        self.table.c.staged.info.update(checked_as(StagedCopy(self.fields)))
        check_names(self)
        order = Order(self.columns[self.order.removeprefix("-")], self.newest_first)
        object.__setattr__(self, "links", tag_links(self.model, order))
        keep_positions(self.model, self.links, order)
        judge_writes(self.model)
        watch_commits(self)
        index_hidden(self.table)
        self._let_expire()
        check_computed(self.name, self.table, self.computed)
        index_waiting(self.table)
        _index_for_lists(self.table)
        self._add_filters()
        if self.period is not None:
            index_period(self.table, self.columns[self.period.end])
        Index(
            f"ix_{self.table.name}_unlisted",
            self.table.c.id,
            sqlite_where=text("listed IS NULL AND published = 1"),
            postgresql_where=text("listed IS NULL AND published"),
        )

    def _let_expire(self) -> None:
        if not self.expires:
            return
        column = self.columns[self.expires]
        # The position has the time of each item that has one, and else a time without end.
        is_order = self.order == self.expires or (
            self.order == f"-{self.expires}" and not column.nullable
        )
        indexed = "position" if is_order else column.key
        Expiry(column.key, indexed, self.keeps_detail).declare(self.table)

    @property
    def keeps_detail(self) -> bool:
        """Whether the public can read items alone that have expired."""
        return self.detail == "open"

    def _add_filters(self) -> None:
        names = {*self.public_filters, *self.staff_filters}
        public = filters_of(self.public_filters, self.fields, self.columns)
        object.__setattr__(self, "filters", public)
        object.__setattr__(self, "all_filters", filters_of(names, self.fields, self.columns))
        check_parameters(self.name, self.all_filters)
        index_filters(self.table, (c for name, c in self.columns.items() if name in names))

    def _default_orders(self) -> tuple[str, ...]:
        public = {field.name for field in self.fields if field.public}
        names = dict.fromkeys((self.order.removeprefix("-"), self.date, "title"))
        return tuple(name for name in names if name in public)

    def _default_date(self) -> str:
        ordered_by = self.order.removeprefix("-")
        column = self.columns.get(ordered_by)
        is_time = column is not None and isinstance(column.type, UTCDateTime)
        return ordered_by if is_time else "createdAt"

    def check_save(self, session: Session, save: ItemSave) -> None:
        """Refuse times that contradict each other, and values that the plugin refuses.

        :raises Invalid: naming the first mistake.
        :raises Refused: for an item that must not change.
        """
        check_times(save.after, *filter(None, [self.expires]))
        self.before_change(session, save)

    @property
    def staged_fields(self) -> tuple[Field, ...]:
        """The fields whose edits are approved."""
        return tuple(f for f in self.fields if f.staged)

    @property
    def newest_first(self) -> bool:
        """Whether lists are in descending order."""
        return self.order.startswith("-")

    @property
    def table(self) -> Table:
        """The model's table."""
        table: Table = self.model.__table__
        return table

    def seen(self, rows: FromClause) -> ColumnElement[bool]:
        """Return the condition that the public sees an item at ``NOW``."""
        return visible(rows)

    def linked_texts(self, session: Session, items: Sequence[Any]) -> Mapping[int, LinkedText]:
        """Return the names of the items' tags, which find them, by the items' ids."""
        return tag_texts(session, self, items)

    def shown_title(self, item: Any) -> str:
        """Return the title as staff see it: the staged one, if there is one."""
        staged = item.staged or {}
        counting = {f.name: staged[f.name] for f in staged_among(self.fields, staged)}
        title: str = counting.get("title", item.title)
        return title

    def shown_titles(self) -> ColumnElement[str]:
        """Return an expression for the titles of items as staff see them."""
        columns = self.table.c
        return func.coalesce(columns.staged["title"].as_string(), columns.title)

    personal: ClassVar[tuple[str, ...]] = ()
    """No fields: content isn't about persons, so revisions keep all fields."""

    @property
    def linked(self) -> frozenset[str]:
        """The names of values that are no fields: the ids of tags."""
        return frozenset({TAG_IDS})

    @property
    def approved_fields(self) -> frozenset[str]:
        """The names of the values that an approval covers, without those that follow from it."""
        return self.restored_fields - {SLUG_FIELD, self.first_published}

    @property
    def restored_fields(self) -> frozenset[str]:
        """The names of the values that restoring a revision restores: all that are approved."""
        return frozenset({*(f.name for f in self.staged_fields), TAG_IDS}) - TIMES

    def live_snapshots(self, session: Session, items: Sequence[Any]) -> list[Snapshot]:
        """Return the values of items as the public sees them, without the names of tags."""
        tag_ids = live_tag_ids(session, self, [item.id for item in items])
        return [
            Snapshot(
                {f.name: f.kind.dump(getattr(item, f.attribute)) for f in self.fields}
                | {TAG_IDS: sorted(tag_ids[item.id])}
            )
            for item in items
        ]

    def edited(self, item: Any, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the live values of an item with its staged edits; None if nothing is staged."""
        return None if item.staged is None else {**values, **staged_values(self, item.staged)}

    def existing(self, session: Session, _name: str, ids: Sequence[int]) -> set[int]:
        """Return those of some ids of tags that exist."""
        return set(session.scalars(select(Tag.id).where(Tag.id.in_(ids)))) if ids else set()

    def link_names(
        self, session: Session, ids: Sequence[int]
    ) -> Mapping[int, Mapping[str, Mapping[int, str]]]:
        """Return the names of the live tags of items, by the items' ids."""
        names = live_tag_names(session, self, ids)
        return {item_id: {TAG_IDS: tags} for item_id, tags in names.items()}

    def snapshot(self, session: Session, item: Any, former: Snapshot | None = None) -> Snapshot:
        """Return the values of an item as staff see them, for its revisions."""
        values = dump_fields(self.fields, staff_values(self, item))
        referring = names_of(session, self.fields, values)
        if former is not None:
            tags = {n: former.names[n] for n in former.names if n == TAG_IDS}
            return Snapshot(values | {TAG_IDS: former.values[TAG_IDS]}, tags | referring)
        names = staff_tag_names(session, self, item)
        tag_ids = sorted(names) if item.staged is None else item.staged[TAG_IDS]
        return Snapshot(
            values | {TAG_IDS: sorted(tag_ids)},
            ({TAG_IDS: {str(tag_id): name for tag_id, name in names.items()}} if names else {})
            | referring,
        )

    def scheduled_changes(self) -> Sequence[ScheduledChange]:
        """Return the appearing, the vanishing and the staged edits of items, and own changes."""
        return (*changes_of(self.table, self.expires), *self.schedule)

    def has_staged_edits(self) -> ColumnElement[bool]:
        """Return the condition that an item has staged edits."""
        return self.table.c.staged.is_not(None)

    def approve_until(
        self, session: Session, item: Any, until: datetime, caller: Caller | None
    ) -> None:
        """Set the time at which an item, or its staged edits, vanish again.

        :raises Invalid: for a time that has passed, or before the item appears.
        """
        if until <= utcnow():
            raise wrong_field("until", ProblemCode.OUT_OF_RANGE, "Must be in the future")
        shown = staff_values(self, item)
        self.check_save(session, ItemSave(item, shown, shown | {UNPUBLISH: until}, caller))
        if item.staged is None:
            item.scheduled_unpublish_at = until
        else:
            item.staged = item.staged | {UNPUBLISH: Timestamp().dump(until)}
        item.revision += 1

    def approved(self, session: Session, item: Any, now: datetime) -> None:
        """Publish the item with its staged edits, which may have to wait for their time."""
        if item.staged is not None and has_to_wait(item, now):
            return
        item.published = True
        self.make_live(session, item, now)

    def make_live(self, session: Session, item: Any, now: datetime) -> None:
        """Apply the staged edits of an approved item; an unpublished item stays unpublished."""
        former = Naming.of(item)
        wanted = item.slug
        if item.staged is not None:
            wanted = apply_staged(session, self, item)
            index_items(session, self, [item])
        item.changed_at = now
        settle_slug(session, self, item, former, wanted, now, needed=True)
        self.date_first_publishing(item, now)

    def rejected(self, item: Any) -> None:
        """Unpublish an item without staged edits; otherwise keep the live copy and the edits."""
        item.published = item.published and item.staged is not None
        self.date_first_publishing(item, utcnow())

    def date_first_publishing(self, item: Any, now: datetime) -> None:
        """Set the time when the public first sees an item, unless that time has passed.

        The field of ``first_published`` is set in any case, as a save may have cleared it.
        """
        before = item.first_published_at
        if before is None or before > now:
            due = max(now, item.scheduled_publish_at or now)
            until = item.vanishes_at
            appears = item.published and (until is None or due < until)
            item.first_published_at = due if appears else None
        if self.first_published and (before or item.first_published_at):
            attribute = self.columns[self.first_published].key
            live = {} if item.staged is None else live_values(self, item)
            if getattr(item, attribute) in (None, before):
                setattr(item, attribute, item.first_published_at)
            sync_unedited(self, item, live)


def _index_for_lists(table: Table) -> None:
    """Add the indexes for the filters and the orders of lists, most of them those of staff."""
    columns = table.c
    for name in ("title", "created_at", "updated_at", "changed_at"):
        Index(f"ix_{table.name}_{name}", columns[name], columns.id)
    status = f"ix_{table.name}_approval_status"
    Index(status, columns.approval_status, columns.position, columns.id)
    is_staged = text("staged IS NOT NULL")
    Index(
        f"ix_{table.name}_staged",
        columns.position,
        columns.id,
        sqlite_where=is_staged,
        postgresql_where=is_staged,
    )


def content_types_of(instance: Instance) -> list[ContentType]:
    """Return the content types of the enabled plugins, without other approvable kinds."""
    return [it for it in instance.content_types.values() if isinstance(it, ContentType)]
