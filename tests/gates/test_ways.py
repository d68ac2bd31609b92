"""Every way by which something becomes public asks the plugins first, whatever the kind is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import Approvable, ContentType, Instance, PublicationWay, Resource
from masthead.testing import Client, Desk
from tests.gates.gate import REASON, Gate
from tests.gates.ways import (
    LATER,
    OF_APPROVED,
    OF_CONTENT,
    OF_RESOURCES,
    SOON,
    Scene,
    Shelf,
    Step,
)

Stored = Callable[[], dict[str, list[Any]]]


def attempt(step: Step, way: PublicationWay, gate: Gate, stored: Stored) -> None:
    """Take a step while the gate is closed, which changes nothing, and once it is open."""
    before = stored()
    gate.close()
    assert REASON in step()
    assert gate.ways == {way}
    assert stored() == before

    gate.open()
    assert step() == ""
    assert gate.ways == {way}
    assert stored() != before


@pytest.mark.parametrize("prepare", OF_CONTENT, ids=lambda it: it.__name__)
def test_no_way_leads_around_the_gate(
    prepare: Callable[[Scene], Step],
    instance: Instance,
    desks: list[Desk],
    gate: Gate,
    stored: Stored,
) -> None:
    for desk in desks:
        gate.open()
        attempt(prepare(Scene(instance, desk)), OF_CONTENT[prepare], gate, stored)


@pytest.mark.parametrize("prepare", OF_APPROVED, ids=lambda it: it.__name__)
def test_other_approved_kinds_pass_the_gate_at_each_vote(
    prepare: Callable[[Scene], Step], app: Client, instance: Instance, gate: Gate, stored: Stored
) -> None:
    for kind in _approved(instance):
        gate.open()
        scene = Scene(instance, Desk(app, kind.name).as_role("admin"))
        attempt(prepare(scene), PublicationWay.APPROVAL, gate, stored)


@pytest.mark.parametrize("prepare", OF_RESOURCES, ids=lambda it: it.__name__)
def test_resources_that_the_public_reads_pass_the_gate(
    prepare: Callable[[Shelf], Step | None],
    app: Client,
    instance: Instance,
    public_resources: list[Resource],
    gate: Gate,
    stored: Stored,
) -> None:
    for resource in public_resources:
        gate.open()
        scene = Scene(instance, Desk(app, resource.name).as_role("admin"))
        step = prepare(Shelf(scene, resource))
        if step is not None:
            attempt(step, OF_RESOURCES[prepare], gate, stored)


def test_each_way_has_an_attempt() -> None:
    assert {*OF_CONTENT.values(), *OF_RESOURCES.values()} == {*PublicationWay}


def test_the_gate_is_not_asked_about_what_only_hides_or_waits(
    instance: Instance, desks: list[Desk], gate: Gate
) -> None:
    for desk in desks:
        scene = Scene(instance, desk)
        public, edited, pending = scene.public(), scene.edited(), scene.pending()
        gate.close()

        scene.draft()
        scene.editor.edit(public, title="Proposed")
        desk.drop_staged(public)
        desk.edit(public, scheduledUnpublishAt=LATER)
        desk.edit(public, scheduledUnpublishAt=SOON, scheduledPublishAt=None)
        desk.reject(edited)
        desk.reject(pending)
        desk.preview(pending)
        desk.edit(public, published=False)
        desk.delete(public)
        assert gate.asked == []
        gate.open()


def _approved(instance: Instance) -> list[Approvable]:
    return [it for it in instance.content_types.values() if not isinstance(it, ContentType)]
