"""Items that the required references of a content type's samples refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from masthead.content.contenttype import ContentType
from masthead.instance import Instance
from masthead.references.declared import declared_in
from masthead.references.fields import references_of
from masthead.resources.kept import PUBLISHED
from masthead.schemas.fields import Field
from masthead.testing.client import Client
from masthead.testing.desk import Desk
from masthead.testing.samples import sample_of

Targets = dict[str, tuple[Any, Any]]


def make_targets(app: Client, instance: Instance, fields: Sequence[Field]) -> Targets:
    """Create two public items for each required reference, and return the field's two values."""
    kinds, made = declared_in(instance).kinds, Targets()
    for reference in references_of(fields):
        if reference.field.required:
            one, other = (_make(app, instance, kinds[reference.target], each) for each in (0, 1))
            made[reference.name] = ([one], [other]) if reference.is_list else (one, other)
    return made


def _make(app: Client, instance: Instance, kind: Any, which: int) -> int:
    """Create a public item with one of the two samples of each required field."""
    required = [field for field in kind.fields if field.required]
    values = {field.name: sample_of(field.kind, which) for field in required}
    values |= {n: pair[which] for n, pair in make_targets(app, instance, required).items()}
    if isinstance(kind, ContentType):
        return int(Desk(app, kind.name).as_role("admin").create_public(**values)["id"])
    published = {PUBLISHED: True} if PUBLISHED in {field.name for field in kind.fields} else {}
    made = app.as_role("admin").post_json(f"/api/staff/{kind.path}", values | published)
    return int(made.json["id"])
