"""Items that the references of the samples of a content type or resource refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from masthead.content.contenttype import ContentType
from masthead.instance import Instance
from masthead.references.declared import declared_in
from masthead.references.fields import references_of
from masthead.resources.declaration import Resource
from masthead.resources.kept import PUBLISHED
from masthead.schemas.fields import Field
from masthead.testing.client import Client
from masthead.testing.desk import Desk
from masthead.testing.samples import sample_of

Targets = dict[str, tuple[Any, Any]]


class TargetContract:
    """A contract whose samples refer to items, which are made when a test needs them."""

    _made: Targets | None = None

    @pytest.fixture(autouse=True)
    def _keep_request(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def targets_of(self, kind: ContentType | Resource, which: int) -> dict[str, Any]:
        """Return values of the fields that refer to items, by wire name.

        :param kind: the tested content type or resource.
        :param which: 0 or 1, for one of two values.
        """
        if not any(references_of(kind.fields)):
            return {}
        if self._made is None:
            app, instance = map(self._request.getfixturevalue, ("app", "instance"))
            self._made = make_targets(app, instance, kind.name, kind.fields)
        return {name: pair[which] for name, pair in self._made.items()}


def make_targets(app: Client, instance: Instance, own: str, fields: Sequence[Field]) -> Targets:
    """Create two public items for each reference, and return the field's two values.

    None are made for an optional reference to items of the tested kind, whose lists would have
    them, or of a plugin that isn't enabled.

    :param own: the name of the tested content type or resource.
    """
    kinds, made = declared_in(instance).kinds, Targets()
    for reference in references_of(fields):
        others = kinds.keys() - {own}
        if reference.field.required or reference.target in others:
            made_of = kinds[reference.target]
            one, other = (_make(app, instance, own, made_of, each) for each in (0, 1))
            made[reference.name] = ([one], [other]) if reference.is_list else (one, other)
    return made


def _make(app: Client, instance: Instance, own: str, kind: Any, which: int) -> int:
    """Create a public item with one of the two samples of each required field."""
    required = [field for field in kind.fields if field.required]
    values = {field.name: sample_of(field.kind, which) for field in required}
    values |= {n: pair[which] for n, pair in make_targets(app, instance, own, required).items()}
    if isinstance(kind, ContentType):
        return int(Desk(app, kind.name).as_role("admin").create_public(**values)["id"])
    published = {PUBLISHED: True} if PUBLISHED in {field.name for field in kind.fields} else {}
    made = app.as_role("admin").post_json(f"/api/staff/{kind.path}", values | published)
    return int(made.json["id"])
