"""The declaration of a resource: a mixin for its model, and the options of its endpoints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from sqlalchemy import Column, ColumnElement, FromClause, String, and_, true
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.auth.caller import Caller
from masthead.db import by_code_points
from masthead.instance import Instance
from masthead.resources.callbacks import Callbacks, watch_commits
from masthead.resources.checks import check_options
from masthead.resources.items import NamedItem
from masthead.resources.kept import PUBLISHED, KeptFields
from masthead.resources.names import Name
from masthead.resources.options import OPERATIONS, UPDATE, Copies, Filter, LinkPreview, PublicRoutes
from masthead.schemas.cases import camel_case, snake_case
from masthead.schemas.computed import Computed, check_computed, values_of
from masthead.schemas.field_types import FieldType, Int, Timestamp
from masthead.schemas.fields import Field, columns_of, fields_of, shown_kind
from masthead.schemas.labels import one, sentence, type_name
from masthead.schemas.schema import Nullable, Object, required, schema
from masthead.schemas.slugs import SLUG_FIELD, Slug
from masthead.search.searchable import LinkedText

SEARCH = "search"
"""The query parameter for the words of a search."""
SORT = "sort"
"""The query parameter for the order of a staff list."""
UPDATED_SINCE = "updated_since"
"""The name, which ``wire`` changes, of the query parameter for the time of the last change."""
CREATED_AT = Timestamp().described("The time of its creation.", "2026-03-01T09:30:00.000Z")
UPDATED_AT = Timestamp().described("The time of its last change.", "2026-03-02T16:05:00.000Z")
TIMES: Mapping[str, FieldType] = {"createdAt": CREATED_AT, "updatedAt": UPDATED_AT}
ID_HELP = "Its id, which never changes."
ReadDetails = Callable[[Session, Any, Caller | None], Mapping[str, Any]]
"""A function of a session, an item and its reader; None stands for the command line."""
LookUp = Callable[[Session, Sequence[Any], Caller | None], Sequence[Mapping[str, Any]]]


def allow_restore(_session: Session, _item: Any) -> None:
    """Restore an item as it was."""


def _no_slugs(_instance: Instance) -> Collection[str]:
    """Reserve no slugs."""
    return ()


def _flush(session: Session, items: Sequence[Any]) -> None:
    """Write new or changed items."""
    session.add_all(items)
    session.flush()


@dataclass(frozen=True)
class Resource(KeptFields, Callbacks):
    """A kind of item that staff list, show, create, change and delete.

    The model is a mapped class with :class:`ResourceItem` or :class:`NamedItem`; its further
    columns are declared with ``field()``. The audit log records each delete, and each change of a
    field ``published``.
    """

    name: str
    """Its name in the plural: ``people``. Its endpoints are ``staff.people.…``."""
    label: str
    """Its name for readers, in the singular: ``Person``."""
    model: type[Any]
    area: str
    """The area of its permissions."""
    read_permission: str = ""
    """The permission to list and show it as staff; by default ``<area>.read``. With another one,
    creating, changing and deleting it needs this permission, too, because answers show the item."""
    plural: str = ""
    """Its name for readers, in the plural; by default it follows from the label."""
    path: str = ""
    """The path below ``/api/staff/`` and ``/api/``; by default the name."""
    order: tuple[str, ...] = ("-createdAt",)
    """The fields that its lists are ordered by; a minus means descending. Nulls come last. Text is
    ordered by code points; for the order of names, store ``sort_key(name)`` in a column."""
    sorts: tuple[str, ...] = ()
    """The fields that the query parameter ``sort`` of its staff list accepts, each also with a
    minus before it; by default those of ``order`` and the times of creation and change. None of
    ``custom_filters`` selects ``through`` links then."""
    filters: tuple[str, ...] = ()
    """The fields that a list can be filtered by, each as a query parameter."""
    custom_filters: Mapping[str, Filter] = dataclass_field(default_factory=dict)
    """Further query parameters of the list, by name."""
    search_fields: tuple[str, ...] = ()
    """The text fields that the query parameter ``search`` searches; the model's ids have to be
    numbers. If the public sees them all, and the items have a page, ``/api/search`` searches them,
    too, and takes the first one for the title."""
    person: str = ""
    """The field with the e-mail address of the person that an item is about. The items of a person
    are part of their personal data: shown on request, and deleted when the person is erased. If the
    field is unique, so that a change means another address of the same person, the former addresses
    of an item are remembered."""
    person_key: str = ""
    """The attribute with the address of ``person`` folded by ``fold``, which is searched instead if
    it is set."""
    operations: tuple[str, ...] = OPERATIONS
    """The operations that staff have, from ``OPERATIONS``."""
    public: PublicRoutes | None = None
    """Its public endpoints; None for none."""
    public_when: Mapping[str, Any] | None = None
    """The values of columns of an item while the public sees it, for a resource that the plugin
    shows by endpoints of its own: ``{"listed": True}``. The change log and webhooks then tell of
    its items. The ids are numbers; None with ``public``, or if the public sees no item."""
    personal: tuple[str, ...] = ()
    """The fields with data of persons, such as recipients, for a resource without ``person``.
    Revisions don't keep them, so that nothing is left of a person who is erased. The resource has
    neither a trash nor an approval then."""
    editable: tuple[str, ...] | None = None
    """The fields that an update can change; None for all."""
    shows: Mapping[str, FieldType] = dataclass_field(default_factory=lambda: TIMES)
    """The types of further values in staff answers, beside the id and the fields, by wire name."""
    computed: Mapping[str, Callable[[Any], Any] | Computed] = dataclass_field(default_factory=dict)
    """By wire name: functions of an item that return those values of ``shows`` that aren't
    attributes; and further fields of staff and public answers, as content types have them."""
    looked_up: Mapping[str, FieldType] = dataclass_field(default_factory=dict)
    """The types of further values in staff answers that are read for all items of a page at once,
    by wire name."""
    look_up: LookUp = lambda _session, items, _caller: [{} for _ in items]
    """Return the values of ``looked_up`` for each of some items, in their order, as far as the
    caller may read them; the caller is None for the command line, which may read everything."""
    details: Mapping[str, FieldType] = dataclass_field(default_factory=dict)
    """The types of further values in the staff answer to one item, by wire name."""
    read_details: ReadDetails = lambda _session, _item, _caller: {}
    """Return the values of ``details`` for an item, as far as the caller may read them; the caller
    is None for the command line, which may read everything."""
    flush: Callable[[Session, Sequence[Any]], None] = _flush
    """Write new or changed items; raise ``Invalid`` for a value that has to be unique and isn't."""
    copies: Copies | None = None
    """The copies that staff make of its items; None for none."""
    preview: LinkPreview | None = None
    """The preview links to its items, if these have a public answer of their own. Items with public
    endpoints and a field ``published`` have such links anyway."""
    trash: bool = False
    """Whether deleted items go to the trash, from which staff restore them unpublished. The ids are
    numbers, the items are about no person, and the public sees published ones only, if any."""
    before_restore: Callable[[Session, Any], None] = allow_restore
    """Change an item that is about to be restored from the trash, so that nothing happens at once,
    such as a sending whose time has passed."""
    approval: Approvable | None = None
    """The approval of its items; the model has :class:`ApprovableItem` then. An edit by a caller
    who may not approve returns the item to draft, except for fields with ``staged=False``."""
    site_path: str = ""
    """The path at which the website shows an item, with a placeholder for its column ``slug``:
    ``/{slug}``. Blank if items have no page of their own. If the column is a field of the type
    ``Slug``, staff choose slugs, and ``flush`` makes those of items without one."""
    reserved_slugs: Callable[[Instance], Collection[str]] = _no_slugs
    """Return slugs that no item gets, which ``flush`` must heed too."""
    wire: Callable[[str], str] = camel_case
    """Return the wire name for an attribute's name; ``snake_case`` keeps the name."""

    columns: Mapping[str, Column[Any]] = dataclass_field(init=False)
    """The columns of the model, by wire name."""
    fields: tuple[Field, ...] = dataclass_field(init=False)
    """The fields that clients read and write, in the order of the model's columns."""

    def __post_init__(self) -> None:
        """Read the columns and fields of the model, and check the options.

        :raises StartError: for an option that names a missing or unsuitable field.
        """
        object.__setattr__(self, "path", self.path or self.name)
        own = f"{self.area}.read"
        object.__setattr__(self, "read_permission", self.read_permission or own)
        object.__setattr__(self, "columns", columns_of(self.model, self.wire))
        object.__setattr__(self, "fields", fields_of(self.model, self.wire))
        check_options(self)
        check_computed(self.name, self.model.__table__, self.computed_fields)
        watch_commits(self)

    @property
    def public_values(self) -> Mapping[str, Any] | None:
        """The values of columns of an item while the public sees it; None if it never does."""
        if self.public is None:
            return self.public_when
        return {PUBLISHED: True} if PUBLISHED in self.columns else {}

    def is_shown(self, rows: FromClause) -> ColumnElement[bool]:
        """Return the condition that an item has ``public_values``."""
        values = self.public_values or {}
        return and_(true(), *(rows.c[name] == value for name, value in values.items()))

    def seen(self, rows: FromClause) -> ColumnElement[bool] | None:
        """Return the condition that the public endpoints show an item; None without endpoints."""
        return None if self.public is None else self.is_shown(rows)

    def linked_texts(
        self,
        session: Session,  # noqa: ARG002 - as for Searchable
        items: Sequence[Any],  # noqa: ARG002 - as for Searchable
    ) -> Mapping[int, LinkedText]:
        """Return no text: items are found by their own fields alone."""
        return {}

    def attribute(self, name: str) -> str:
        """Return the name of the model's attribute, a column or a property, for a wire name."""
        return self.columns[name].key if name in self.columns else snake_case(name)

    @property
    def computed_fields(self) -> dict[str, Computed]:
        """The fields of ``computed`` that need no place in ``shows``."""
        return {n: each for n, each in self.computed.items() if isinstance(each, Computed)}

    @property
    def named(self) -> bool:
        """Whether its ids are text that staff choose."""
        return issubclass(self.model, NamedItem)

    @property
    def id_kind(self) -> FieldType:
        """The type of its ids."""
        kind = Name() if self.named else Int()
        return kind.described(ID_HELP)

    @property
    def id_placeholder(self) -> str:
        """The placeholder that stands for an id in its addresses."""
        return "name" if self.named else "id"

    @property
    def has_chosen_slugs(self) -> bool:
        """Whether staff choose slugs, which lead to their items once the public knows them."""
        own = {f.name: f.kind for f in self.fields}.get(SLUG_FIELD)
        kind = own.inner if isinstance(own, Nullable) else own
        return bool(self.site_path) and isinstance(kind, Slug)

    @property
    def sort_names(self) -> tuple[str, ...]:
        """The fields that its staff list can be sorted by; none if links may be selected."""
        if self.sorts or any(it.through for it in self.custom_filters.values()):
            return self.sorts
        names = (name.removeprefix("-") for name in self.order)
        return tuple(dict.fromkeys((*names, self.wire("created_at"), self.wire("updated_at"))))

    @property
    def public_names(self) -> frozenset[str]:
        """The names of the values that the public sees, beside the id."""
        shows = self.public.shows if self.public else ()
        computed = (name for name, each in self.computed_fields.items() if each.public)
        return frozenset((*(f.name for f in self.fields if f.public), *shows, *computed))

    def is_public(self, item: Any) -> bool:
        """Whether the public sees an item, or what follows from it, such as a newsletter."""
        return self.becomes_public and bool(getattr(item, PUBLISHED, True))

    @property
    def becomes_public(self) -> bool:
        """Whether plugins are asked before its items become public."""
        return bool(self.public or self.approval or PUBLISHED in self.columns)

    @property
    def in_site_search(self) -> bool:
        """Whether the public sees all fields that are searched, and a page with the items."""
        if self.public is None or not (self.site_path or self.public.listed_at):
            return False
        return bool(self.search_fields) and self.public_names.issuperset(self.search_fields)

    @property
    def write_permission(self) -> str:
        """The permission to create, change and delete it."""
        return f"{self.area}.write"

    @property
    def also_needs(self) -> tuple[str, ...]:
        """The further permissions to create, change and delete it."""
        return () if self.read_permission == f"{self.area}.read" else (self.read_permission,)

    @property
    def keeps_addresses(self) -> bool:
        """Whether each item is one person, so that a former address of the item is theirs.

        Other items, such as messages, name a person, and can be handed over to another one.
        """
        if not self.person or self.named:
            return False
        key = self.model.__table__.c[self.person_key or self.columns[self.person].key]
        return bool(key.unique)

    @property
    def keeps_revisions(self) -> bool:
        """Whether saves of its items are kept as revisions; those about a person aren't."""
        return UPDATE in self.operations and not self.person

    @property
    def editable_fields(self) -> tuple[Field, ...]:
        """The fields that an update can change."""
        return tuple(f for f in self.fields if self.editable is None or f.name in self.editable)

    def answer(self, *, detail: bool) -> Object:
        """Return the type of a staff answer: one item, or an item of a list."""
        kinds = self._answered(detail=detail)
        role, is_summary = (
            "Staff" if self.public else "",
            kinds.keys() != self._answered(detail=True).keys(),
        )
        name = type_name(self, f"{role}Summary" if is_summary else role)
        seen = (
            f"{one(self)}{', as staff see it' if role else ''}{' in a list' if is_summary else ''}"
        )
        fields = {name: required(kind) for name, kind in kinds.items()}
        return Object(schema(fields, name=name, help=sentence(seen)))

    def _answered(self, *, detail: bool) -> dict[str, FieldType]:
        shown = {f.name: shown_kind(f.kind) for f in self.fields if detail or f.listed}
        kinds: dict[str, FieldType] = {"id": self.id_kind, **shown, **self.shows, **self.looked_up}
        kinds |= {n: each.kind for n, each in self._computed(detail=detail).items()}
        return {**kinds, **(self.details if detail else {})}

    def _computed(self, *, detail: bool) -> dict[str, Computed]:
        return {n: each for n, each in self.computed_fields.items() if detail or each.listed}

    def values(self, item: Any, *, detail: bool) -> dict[str, Any]:
        """Return the values of a staff answer that follow from the item alone, by name."""
        names = ("id", *(f.name for f in self.fields if detail or f.listed), *self.shows)
        own = {
            name: getattr(item, self.attribute(name)) for name in names if name not in self.computed
        }
        functions = {n: it for n, it in self.computed.items() if not isinstance(it, Computed)}
        return own | {name: compute(item) for name, compute in functions.items()}

    def describe(self, session: Session, item: Any, caller: Caller | None) -> dict[str, Any]:
        """Return the values of the staff answer to one item, by wire name.

        :param caller: the user who reads it; None for the command line.
        """
        [own] = self.describe_all(session, [item], caller, detail=True)
        return {**own, **self.read_details(session, item, caller)}

    def describe_all(
        self, session: Session, items: Sequence[Any], caller: Caller | None, *, detail: bool
    ) -> list[dict[str, Any]]:
        """Return the values of a staff answer for each of some items, without ``details``.

        :param caller: the user who reads them; None for the command line.
        """
        looked_up = self.look_up(session, items, caller)
        table, ids = self.model.__table__, [item.id for item in items]
        computed = values_of(session, table, self._computed(detail=detail), ids)
        return [
            {**self.values(item, detail=detail), **further, **computed[item.id]}
            for item, further in zip(items, looked_up, strict=True)
        ]

    def ordering(self, source: Any, item_id: Any, sort: str | None = None) -> list[Any]:
        """Return the keys that lists are ordered by.

        The last key is the id, in the direction of the key before it.

        :param source: the mapped class to select from.
        :param item_id: its column with the ids of the items.
        :param sort: one of ``sorts``, instead of the declared order.
        """
        keys, descending = [], False
        for name in self.order if sort is None else (sort,):
            descending = name.startswith("-")
            column = getattr(source, self.attribute(name.removeprefix("-")))
            nullable = self.model.__table__.c[column.key].nullable
            column = by_code_points(column) if isinstance(column.type, String) else column
            key = column.desc() if descending else column.asc()
            keys.append(key.nulls_last() if nullable else key)
        return [*keys, item_id.desc() if descending else item_id.asc()]
