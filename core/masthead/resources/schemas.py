"""Bodies and queries of a resource's endpoints, made from its fields."""

from __future__ import annotations

import colander

from masthead.resources.declaration import SEARCH, Name, Resource
from masthead.schemas.field_types import FieldType, Str
from masthead.schemas.schema import Nullable, extended, optional, partial, required, schema


def create_body(resource: Resource) -> colander.SchemaNode:
    """What a create takes."""
    own = {"id": required(Name())} if resource.named else {}
    return schema(
        own
        | {
            f.name: required(f.kind) if f.required else optional(f.kind, nullable=False)
            for f in resource.fields
        }
    )


def update_body(resource: Resource) -> colander.SchemaNode:
    """What an update takes: any of the fields that can change, and the revision that was read."""
    changed = schema({f.name: required(f.kind) for f in resource.changeable})
    return extended(partial(changed), {"etag": optional(Str())})


def list_query(resource: Resource) -> colander.SchemaNode:
    """What narrows a list."""
    kinds = {f.name: f.kind for f in resource.fields}
    taken = {name: _present(kinds[name]) for name in resource.filters}
    taken |= {name: narrowing.kind for name, narrowing in resource.custom_filters.items()}
    if resource.search_fields:
        taken[SEARCH] = Str(min_length=0)
    return schema({name: optional(kind, nullable=False) for name, kind in taken.items()})


def _present(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind
