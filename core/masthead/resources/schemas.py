"""The bodies and queries of a resource's staff endpoints, made from its fields."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.http.paging import TEXT_FILTER
from masthead.resources.declaration import SEARCH, Name, Resource
from masthead.schemas.field_types import Bool, FieldType, Str
from masthead.schemas.fields import Field
from masthead.schemas.schema import Nullable, extended, optional, partial, required, schema
from masthead.schemas.slugs import TAKE_OVER


def create_body(resource: Resource) -> colander.SchemaNode:
    """Return the body of a create: all fields, and the id where staff choose it."""
    own = {"id": required(Name())} if resource.named else {}
    return schema(own | new_values(resource.fields) | _about_slugs(resource))


def update_body(resource: Resource) -> colander.SchemaNode:
    """Return the body of an update: the editable fields, and the revision that was read."""
    changed = {f.name: required(f.kind) for f in resource.editable_fields}
    return changes(schema(changed | _about_slugs(resource)))


def _about_slugs(resource: Resource) -> dict[str, colander.SchemaNode]:
    return {TAKE_OVER: optional(Bool(), False)} if resource.has_chosen_slugs else {}


def new_values(fields: Iterable[Field]) -> dict[str, colander.SchemaNode]:
    """Return the members of a create's body for fields, by wire name."""
    return {
        f.name: required(f.kind) if f.required else optional(f.kind, nullable=False) for f in fields
    }


def changes(body: colander.SchemaNode) -> colander.SchemaNode:
    """Return the body of an update that takes any members of another body, and the revision."""
    return extended(partial(body), {"etag": optional(Str())})


def list_query(resource: Resource) -> colander.SchemaNode:
    """Return the query of a list: its filters and the search."""
    kinds = {f.name: f.kind for f in resource.fields}
    known = {name: _filter_kind(kinds[name]) for name in resource.filters}
    known |= {name: _filter_kind(each.kind) for name, each in resource.custom_filters.items()}
    if resource.search_fields:
        known[SEARCH] = Str(min_length=0)
    return schema({name: optional(kind, nullable=False) for name, kind in known.items()})


def _filter_kind(kind: FieldType) -> FieldType:
    wanted = kind.inner if isinstance(kind, Nullable) else kind
    return TEXT_FILTER if isinstance(wanted, Str) else wanted
