"""Items that the references of the samples of a content type or resource refer to."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

import pytest
from webtest import AppError

from masthead.content.contenttype import ContentType
from masthead.instance import Instance
from masthead.references.declared import declared_in
from masthead.references.fields import Reference, references_of
from masthead.references.reading import seen_target
from masthead.resources.declaration import Resource
from masthead.resources.kept import PUBLISHED
from masthead.resources.options import CREATE
from masthead.schemas.fields import Field
from masthead.testing.client import Client
from masthead.testing.desk import Desk
from masthead.testing.samples import sample_of


class TargetContract:
    """A contract whose samples refer to items, which are made when a test needs them."""

    values: Mapping[str, Any]
    other_values: Mapping[str, Any]
    _made: tuple[Mapping[str, Any], ...] | None = None

    @pytest.fixture(autouse=True)
    def _keep_request(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def targets_of(self, kind: ContentType | Resource, which: int) -> Mapping[str, Any]:
        """Return values of the fields that refer to items, by wire name.

        :param kind: the tested content type or resource.
        :param which: 0 or 1, for one of two values.
        :raises AssertionError: if an item is needed and can't be created.
        """
        if not any(references_of(kind.fields)):
            return {}
        if self._made is None:
            app, instance = map(self._request.getfixturevalue, ("app", "instance"))
            given = self.values, self.other_values
            self._made = tuple(
                make_targets(app, instance, kind.name, kind.fields, each, given[each])
                for each in (0, 1)
            )
        return self._made[which]

    def seen_in_public(self, kind: ContentType, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values without ids of items of kinds that the public never sees.

        :param values: values of fields by wire name.
        """
        instance: Instance = self._request.getfixturevalue("instance")
        hidden = (
            it
            for it in references_of(kind.fields)
            if it.name in values and seen_target(it, instance) is None
        )
        return {**values, **{it.name: [] if it.is_list else None for it in hidden}}


def make_targets(
    app: Client,
    instance: Instance,
    own: str,
    fields: Iterable[Field],
    which: int,
    given: Container[str] = (),
) -> dict[str, Any]:
    """Create an item for each reference, public if its kind can be, and return the field's value.

    None is made for an optional reference to items of the tested kind, whose lists would have
    them, or to items that can't be created.

    :param own: the name of the tested content type or resource.
    :param which: 0 or 1, for one of two items.
    :param given: the names of the fields whose values the test gives.
    :raises AssertionError: if an item of a required reference can't be created.
    """
    kinds, made = declared_in(instance).kinds, dict[str, Any]()
    for reference in references_of(fields):
        is_needed = reference.field.required
        if reference.name in given or (reference.target == own and not is_needed):
            continue
        try:
            made[reference.name] = _value(app, kinds, reference, which)
        except _NoItemError as error:
            remedy = f"give {reference.name} in values and other_values of the test class"
            if is_needed:
                raise AssertionError(f"{error}; {remedy}") from error
    return made


class _NoItemError(Exception):
    """An item can't be created, for the reason in the text."""


def _value(app: Client, kinds: Mapping[str, Any], reference: Reference, which: int) -> Any:
    """Create an item, and return the value of a field that refers to it.

    :raises _NoItemError: if it can't be created.
    """
    target = reference.target
    kind = kinds.get(target)
    if kind is None:
        raise _NoItemError(f"no enabled plugin has {target}")
    if isinstance(kind, Resource) and CREATE not in kind.operations:
        raise _NoItemError(f"staff can't create {target}")
    required = [field for field in kind.fields if field.required]
    try:
        values = {field.name: sample_of(field.kind, which) for field in required}
        values |= {it.name: _value(app, kinds, it, which) for it in references_of(required)}
        item = _make(app, kind, values)
    except (LookupError, AppError) as error:
        # The kind has types without samples, or rules of its own.
        raise _NoItemError(f"{target} can't be created from samples: {error}") from error
    return [item] if reference.is_list else item


def _make(app: Client, kind: Any, values: dict[str, Any]) -> int:
    """Create an item with these values, public if its kind can be."""
    if isinstance(kind, ContentType):
        return int(Desk(app, kind.name).as_role("admin").create_public(**values)["id"])
    published = {PUBLISHED: True} if PUBLISHED in {field.name for field in kind.fields} else {}
    made = app.as_role("admin").post_json(f"/api/staff/{kind.path}", values | published)
    return int(made.json["id"])
