"""The import of items from another system: checked field by field, and stored in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import UTC, tzinfo
from itertools import groupby
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db import utc_text
from masthead.db.locking import lock
from masthead.db.slugs import slug_base
from masthead.errors import Invalid, Refusal
from masthead.instance import Instance
from masthead.resources.external_ids import known_ids, remember_ids
from masthead.resources.redirects import add_redirects, former_path
from masthead.schemas.cleaning import is_blank
from masthead.schemas.field_types import FieldType, Timestamp
from masthead.schemas.foreign_times import read_foreign_time
from masthead.schemas.schema import Nullable, bound, load, partial, schema
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER, Slug

BATCH = 200
WANTED_SLUG = "wantedSlug"
"""The value with the slug of the other system, which gets a number if another item has it; staff
choose a slug as ``slug``."""
INDEXED = "indexed text"
"""The value with the indexed form of an item's text; no field has such a name."""


def _add_nothing(_values: dict[str, Any]) -> None:
    """Leave the values as they are."""


@dataclass(frozen=True)
class Importer:
    """The import of items of one kind."""

    name: str
    """The name of the content type or resource."""
    model: Any
    body: colander.SchemaNode
    """The fields of an item."""
    store: Callable[[Session, list[dict[str, Any]], bool, Caller | None], Sequence[Any]]
    """Create the items from checked values, all or none, and return them in order; gets the
    session, the values, which may contain a ``slug``, whether to publish the items, and their
    creator."""
    prepare: Callable[[dict[str, Any]], None] = _add_nothing
    """Add values that ``store`` needs to the checked ones, before its transaction begins."""


@dataclass(frozen=True)
class Origin:
    """The system that items come from."""

    source: str = ""
    """Its name; equal external ids of different systems are different items."""
    zone: tzinfo = UTC
    """The time zone of times without one."""


@dataclass
class ForeignItem:
    """An item of another system, and the outcome of its import."""

    number: int = 0
    """The number of its line in the file, counted from 1."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    """Values by wire name, with names of tags as ``tags``; unchecked until it is imported."""
    external_id: str | None = None
    """The id of the item in the other system."""
    slug: str = ""
    """The slug in the other system; blank for one from the title."""
    former_paths: tuple[str, ...] = ()
    """Paths or addresses at which the other system shows it; they will redirect to the item."""
    publish: bool = True
    """Whether it may be published; False leaves it a draft in an import that publishes."""
    author_id: int | None = None
    """The id of the user who becomes its creator; None for the user who imports."""
    item_id: int | None = None
    """The id that the item has got; None if it was not stored."""
    skipped: bool = False
    """Whether an item with this external id exists, or an earlier one of the import has it."""
    warnings: list[str] = dataclass_field(default_factory=list)
    """Messages about invalid optional values, which were left out."""
    error: str | None = None
    """The reason why the item was not stored; None where it was."""


class FieldChecker:
    """Checks items field by field, so that an invalid optional value doesn't spoil the others."""

    def __init__(self, importer: Importer, instance: Instance, zone: tzinfo) -> None:
        self._prepare = importer.prepare
        self._zone = zone
        body = bound(importer.body, instance.settings)
        fields = [field for field in body if not _is_chosen(field)]
        self._sent = partial(schema({field.name: field for field in fields}))
        """All of them, each optional."""
        self._fields = [schema({field.name: field}) for field in fields]
        """Each as a schema of its own."""
        self._required = {field.name for field in fields if field.required}
        self._times = {field.name for field in fields if _is_time(field.typ)}
        self.names = frozenset(field.name for field in fields)
        """The names of the fields."""
        self.has_slug = hasattr(importer.model, SLUG_FIELD) and SLUG_FIELD not in self.names
        """Whether the items have a slug that isn't one of these fields."""

    def check(self, item: ForeignItem) -> None:
        """Replace the values of an item by checked ones, or note its error."""
        sent, item.values = item.values, {}
        try:
            self._read_fields(item, sent)
            self._prepare(item.values)
        except Invalid as error:
            item.error = error.message
        if item.slug and self.has_slug:
            self._read_slug(item)
        item.former_paths = tuple(self._read_former_paths(item))

    def _read_fields(self, item: ForeignItem, sent: Mapping[str, Any]) -> None:
        """Read all fields at once; if one of them is wrong, read each by itself."""
        if self._required <= sent.keys():
            try:
                names = self.names & sent.keys()
                known = {name: self._read_value(name, sent[name]) for name in names}
                item.values = load(self._sent, known)
            except Invalid:
                pass
            else:
                return
        for alone in self._fields:
            self._read_field(item, alone, sent)

    def _read_field(
        self, item: ForeignItem, alone: colander.SchemaNode, sent: Mapping[str, Any]
    ) -> None:
        [field] = alone.children
        name = field.name
        if name not in sent and not field.required:
            return
        try:
            own = {name: self._read_value(name, sent[name])} if name in sent else {}
            item.values |= load(alone, own)
        except Invalid as error:
            if field.required:
                raise
            item.warnings.append(error.message)

    def _read_value(self, name: str, value: Any) -> Any:
        if name not in self._times or value is None or is_blank(value):
            return value
        try:
            return utc_text(read_foreign_time(value, self._zone))
        except ValueError as error:
            raise Invalid(f"{name}: {error}") from None

    def _read_slug(self, item: ForeignItem) -> None:
        possible = slug_base(item.slug)
        if possible != item.slug:
            item.warnings.append(f"slug: {item.slug[:80]} is changed to {possible}")
        item.slug = item.values[WANTED_SLUG] = possible

    def _read_former_paths(self, item: ForeignItem) -> Iterator[str]:
        for each in item.former_paths:
            try:
                yield former_path(each)
            except ValueError as error:
                item.warnings.append(f"formerPaths: {error}")


class Writer:
    """Stores checked items of one kind."""

    def __init__(
        self,
        instance: Instance,
        importer: Importer,
        origin: Origin,
        actor: Caller | None,
        *,
        publish: bool,
        dry_run: bool,
    ) -> None:
        self._instance = instance
        self._importer = importer
        self._source = origin.source
        self._publish = publish
        self._actor = actor
        self._dry_run = dry_run
        self._tried = set[str]()
        """The external ids of a dry run, which stores none."""

    def store(self, items: Sequence[ForeignItem]) -> None:
        """Store items together; if the service refuses one of them, store each half by itself."""
        try:
            with self._instance.database.session() as session, session.begin() as transaction:
                pairs = self._store(session, items)
                if self._dry_run:
                    transaction.rollback()
        except Refusal as refusal:
            if len(items) == 1:
                items[0].error = refusal.message
                return
            middle = len(items) // 2
            self.store(items[:middle])
            self.store(items[middle:])
            return
        for item, item_id, slug in pairs:
            item.item_id = item_id
            _compare_slug(item, slug)

    def _store(
        self, session: Session, items: Sequence[ForeignItem]
    ) -> list[tuple[ForeignItem, int, str | None]]:
        """Store those items that are new, and return each with its id and slug."""
        kind, new = self._importer.name, self._skip_known(session, items)
        made: dict[str, int] = {}
        former: dict[str, int] = {}
        pairs = []
        for item, stored in self._create(session, new):
            pairs.append((item, stored.id, getattr(stored, SLUG_FIELD, None)))
            if item.author_id is not None:
                stored.created_by = item.author_id
            if item.external_id is not None:
                made[item.external_id] = stored.id
            former |= dict.fromkeys(item.former_paths, stored.id)
        remember_ids(session, kind, self._source, made)
        add_redirects(session, kind, former)
        if self._dry_run:
            self._tried |= made.keys()
        return pairs

    def _skip_known(self, session: Session, items: Sequence[ForeignItem]) -> list[ForeignItem]:
        """Mark the items that exist, and return the others."""
        kind, source = self._importer.name, self._source
        external_ids = {item.external_id for item in items if item.external_id is not None}
        known = set[str]()
        if external_ids:
            lock(session, f"{kind}.external-ids")
            known = known_ids(session, self._importer.model, kind, source, external_ids)
            known |= self._tried
        for item in items:
            item.skipped = item.external_id in known
            if item.external_id is not None:
                known.add(item.external_id)
        return [item for item in items if not item.skipped]

    def _create(
        self, session: Session, items: Sequence[ForeignItem]
    ) -> Iterator[tuple[ForeignItem, Any]]:
        """Create neighbouring items together that are published alike."""
        for publish, group in groupby(items, lambda item: item.publish and self._publish):
            together = list(group)
            values = [item.values for item in together]
            stored = self._importer.store(session, values, publish, self._actor)
            yield from zip(together, stored, strict=True)


def _compare_slug(item: ForeignItem, slug: str | None) -> None:
    """Warn if an item didn't get its slug."""
    if WANTED_SLUG not in item.values or slug == item.slug:
        return
    if slug is None:
        item.warnings.append(f"slug: {item.slug} is left out; the slug comes with the approval")
    else:
        item.warnings.append(f"slug: {item.slug} is taken; the item has {slug}")


def _is_chosen(field: colander.SchemaNode) -> bool:
    """Whether a member of a body is about a slug that staff choose, not the one that is wanted."""
    return field.name == TAKE_OVER or isinstance(_inner(field.typ), Slug)


def _is_time(kind: FieldType) -> bool:
    return isinstance(_inner(kind), Timestamp)


def _inner(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind
