"""The bodies and queries of a resource's staff endpoints, made from its fields."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.http.paging import TEXT_FILTER
from masthead.references.filtering import reference_filters
from masthead.resources.declaration import ID_HELP, SEARCH, SORT, Resource
from masthead.resources.general_filters import general_filters
from masthead.resources.names import Name
from masthead.schemas.field_types import Bool, Choice, FieldType, Str
from masthead.schemas.fields import Field
from masthead.schemas.labels import Labelled, one, sentence, type_name
from masthead.schemas.schema import Nullable, named, optional, partial, required, schema
from masthead.schemas.slugs import TAKE_OVER, TAKE_OVER_HELP

SEARCH_HELP = "Words that an item has to have, each at the start of a word of its text."


def create_body(resource: Resource) -> colander.SchemaNode:
    """Return the body of a create: all fields, and the id where staff choose it."""
    own = {"id": required(Name(), help=ID_HELP)} if resource.named else {}
    return schema(
        own | new_values(resource.fields) | _about_slugs(resource),
        name=type_name(resource, "Create"),
        help=sentence(f"{one(resource)} to create"),
    )


def update_body(resource: Resource) -> colander.SchemaNode:
    """Return the body of an update: the editable fields."""
    changed = {f.name: required(f.kind) for f in resource.editable_fields}
    return changes(schema(changed | _about_slugs(resource)), resource)


def _about_slugs(resource: Resource) -> dict[str, colander.SchemaNode]:
    if not resource.has_chosen_slugs:
        return {}
    return {TAKE_OVER: optional(Bool(), False, help=TAKE_OVER_HELP)}


def new_values(fields: Iterable[Field]) -> dict[str, colander.SchemaNode]:
    """Return the members of a create's body for fields, by wire name."""
    return {
        f.name: required(f.kind) if f.required else optional(f.kind, nullable=False) for f in fields
    }


def changes(body: colander.SchemaNode, it: Labelled) -> colander.SchemaNode:
    """Return the body of an update that takes any members of another body."""
    return named(
        partial(body),
        name=type_name(it, "Update"),
        help=f"Changes of {one(it)}: a field that is left out stays as it is.",
    )


def list_query(resource: Resource) -> colander.SchemaNode:
    """Return the query of a list: its filters, the search and the order."""
    kinds = {f.name: f.kind for f in resource.fields}
    known = {name: _filter_kind(kinds[name]) for name in resource.filters}
    known |= {name: _filter_kind(each.kind) for name, each in resource.custom_filters.items()}
    if resource.search_fields:
        known[SEARCH] = Str(min_length=0).described(SEARCH_HELP)
    known |= {name: each.kind for name, each in general_filters(resource).items()}
    if names := resource.sort_names:
        orders = Choice(*names, *(f"-{name}" for name in names))
        known[SORT] = orders.described("The order of the list; a minus means descending.")
    own = {name: optional(kind, nullable=False) for name, kind in known.items()}
    return schema(reference_filters(resource.fields) | own)


def _filter_kind(kind: FieldType) -> FieldType:
    wanted = kind.inner if isinstance(kind, Nullable) else kind
    wanted = TEXT_FILTER if isinstance(wanted, Str) else wanted
    return wanted.described(kind.help and f"Only items with this value. {kind.help}", kind.example)
