"""The ways by which an item becomes public: each prepares an item, and returns the last step."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from io import BytesIO, StringIO
from itertools import count
from typing import Any, NamedTuple

from masthead import (
    CsvColumn,
    CsvImport,
    ForeignItem,
    Html,
    Nullable,
    PublicationWay,
    Refusal,
    Resource,
    import_items,
)
from masthead.approval.services import move
from masthead.approval.transitions import APPROVE
from masthead.instance import Instance
from masthead.testing import Desk
from masthead.testing.samples import sample_of

NUMBERS = count()
SOON, LATER = "2096-01-01T00:00:00.000Z", "2097-01-01T00:00:00.000Z"
ANY: Any = "*"
"""Any status."""
Step = Callable[[], str]
"""The step that publishes; it returns the error, blank for none."""


class Scene(NamedTuple):
    """The place of an attempt."""

    instance: Instance
    desk: Desk
    """The desk of an administrator for a content type."""

    @property
    def editor(self) -> Desk:
        return self.desk.as_role("editor")

    def draft(self) -> int:
        name = self.desk.content_type
        kind: Any = self.instance.resources.get(name) or self.instance.content_types[name]
        return int(self.editor.create(**required_values(kind.fields))["id"])

    def pending(self) -> int:
        item = self.draft()
        self.editor.request(item)
        return item

    def public(self) -> int:
        item = self.pending()
        self.desk.approve(item)
        return item

    def unpublished(self) -> int:
        item = self.public()
        self.desk.edit(item, published=False)
        return item

    def edited(self, **values: Any) -> int:
        """Return a public item with staged edits whose approval is requested."""
        item = self.public()
        self.editor.edit(item, title="Edited", **values)
        self.editor.request(item)
        return item

    def waiting(self) -> int:
        item = self.edited(scheduledPublishAt=SOON)
        self.desk.approve(item)
        return item


def required_values(fields: Any) -> dict[str, Any]:
    """Return values of a new item: those that it requires, and its HTML, which a check may."""
    return {f.name: sample_of(f.kind, 0) for f in fields if f.required or _is_html(f.kind)}


def _is_html(kind: Any) -> bool:
    return isinstance(kind.inner if isinstance(kind, Nullable) else kind, Html)


def _answered(answer: Any) -> str:
    failed = answer.get("failed") or [answer]
    assert "error" not in failed[0] or failed[0]["fields"][0]["path"] == "title"
    return str(failed[0].get("error", ""))


def _put(scene: Scene, item: int, *, if_match: str | None = None, **values: Any) -> Step:
    return lambda: _answered(scene.desk.edit(item, status=ANY, if_match=if_match, **values))


def approve(scene: Scene, item: int | None = None) -> Step:
    item = item or scene.pending()
    return lambda: _answered(scene.desk.approve(item, status=ANY))


def approve_in_bulk(scene: Scene) -> Step:
    item = scene.pending()
    return lambda: _answered(scene.desk.move_many("approve", [item]))


def approve_by_command(scene: Scene) -> Step:
    item, kind = scene.pending(), scene.instance.content_types[scene.desk.content_type]

    def step() -> str:
        try:
            with scene.instance.database.transaction() as session:
                move(session, kind, item, APPROVE, None)
        except Refusal as refusal:
            return refusal.message
        return ""

    return step


def approve_an_edit(scene: Scene) -> Step:
    return approve(scene, scene.edited())


def approve_an_edit_that_waits(scene: Scene) -> Step:
    return approve(scene, scene.edited(scheduledPublishAt=SOON))


def edit(scene: Scene) -> Step:
    return _put(scene, scene.public(), title="Better")


def edit_beside_staged_edits(scene: Scene) -> Step:
    return _put(scene, scene.edited(), title="Better", live=True)


def edit_a_waiting_edit(scene: Scene) -> Step:
    return _put(scene, scene.waiting(), title="Better")


def merge(scene: Scene) -> Step:
    item = scene.public()
    before = scene.desk.etag(item)
    scene.desk.edit(item, description="Of somebody else")
    return _put(scene, item, if_match=before, title="Better", merge=True)


def show_longer(scene: Scene) -> Step:
    item = scene.public()
    scene.desk.edit(item, scheduledUnpublishAt=SOON)
    return _put(scene, item, scheduledUnpublishAt=LATER)


def show_a_scheduled_item_at_once(scene: Scene) -> Step:
    item = scene.public()
    scene.desk.edit(item, scheduledPublishAt=SOON)
    return _put(scene, item, scheduledPublishAt=None)


def publish(scene: Scene) -> Step:
    return _put(scene, scene.unpublished(), published=True)


def publish_in_bulk(scene: Scene) -> Step:
    item = scene.unpublished()
    return lambda: _answered(scene.desk.bulk("publish", [item]))


def restore(scene: Scene) -> Step:
    item = scene.public()
    scene.desk.edit(item, title="Worse")
    return _restoring(scene.desk, item)


def _restoring(desk: Desk, item: int | str) -> Step:
    path = f"/api/staff/{desk.content_type}/{item}/revisions"
    first = min(it["number"] for it in desk.client.get(path).json)
    return lambda: _answered(desk.client.post_json(f"{path}/{first}/restore", {}, status=ANY).json)


def import_lines(scene: Scene) -> Step:
    kind: Any = scene.instance.content_types[scene.desk.content_type]
    return _importing(scene, required_values(kind.fields))


def _importing(scene: Scene, values: Mapping[str, Any]) -> Step:
    def step() -> str:
        item = ForeignItem(values={**values})
        done = import_items(
            scene.instance, scene.desk.content_type, [item], publish=True, actor=None
        )
        return next(iter(done)).error or ""

    return step


def change_by_a_plugin(scene: Scene) -> Step:
    item, kind = scene.public(), scene.instance.content_types[scene.desk.content_type]

    def step() -> str:
        try:
            with scene.instance.database.transaction() as session:
                session.get_one(kind.model, item).title = "By a plugin"
        except Refusal as refusal:
            return refusal.message
        return ""

    return step


OF_CONTENT: dict[Callable[[Scene], Step], PublicationWay] = {
    approve: PublicationWay.APPROVAL,
    approve_in_bulk: PublicationWay.APPROVAL,
    approve_by_command: PublicationWay.APPROVAL,
    approve_an_edit: PublicationWay.APPROVAL,
    approve_an_edit_that_waits: PublicationWay.APPROVAL,
    edit: PublicationWay.EDIT,
    edit_beside_staged_edits: PublicationWay.EDIT,
    edit_a_waiting_edit: PublicationWay.EDIT,
    merge: PublicationWay.EDIT,
    show_longer: PublicationWay.EDIT,
    show_a_scheduled_item_at_once: PublicationWay.EDIT,
    publish: PublicationWay.PUBLISHING,
    publish_in_bulk: PublicationWay.PUBLISHING,
    restore: PublicationWay.RESTORE,
    import_lines: PublicationWay.IMPORT,
    change_by_a_plugin: PublicationWay.OTHER,
}
OF_APPROVED = [approve, approve_in_bulk, approve_by_command]
"""The ways of kinds that are approved, but are no content types."""


class Shelf(NamedTuple):
    """The place of an attempt with a resource."""

    scene: Scene
    resource: Resource

    def body(self, *, published: bool = True) -> dict[str, Any]:
        """Return the body of a new item."""
        own = {"published": published} if "published" in self.resource.columns else {}
        named = {"id": f"item-{next(NUMBERS)}"} if self.resource.named else {}
        return {**required_values(self.resource.fields), **own, **named}

    def create(self, *, published: bool = True) -> int | str:
        created = self._send("post_json", "", self.body(published=published)).json
        found: int | str = created["id"]
        return found

    def _send(self, method: str, path: str, body: Any) -> Any:
        send = getattr(self.scene.desk.client, method)
        return send(f"/api/staff/{self.resource.path}{path}", body, status=ANY)

    def creating(self) -> Step:
        body = self.body()
        return lambda: _answered(self._send("post_json", "", body).json)

    def putting(self, item: int | str, **values: Any) -> Step:
        return lambda: _answered(self._send("put_json", f"/{item}", values).json)


def create_public(shelf: Shelf) -> Step:
    return shelf.creating()


def edit_public(shelf: Shelf) -> Step:
    field = next(f for f in shelf.resource.fields if f.required and f.public)
    return shelf.putting(shelf.create(), **{field.name: sample_of(field.kind, 1)})


def publish_draft(shelf: Shelf) -> Step | None:
    if "published" not in shelf.resource.columns:
        return None
    return shelf.putting(shelf.create(published=False), published=True)


def restore_public(shelf: Shelf) -> Step | None:
    if not shelf.resource.keeps_revisions:
        return None
    item = shelf.create()
    field = next(f for f in shelf.resource.fields if f.required and f.public)
    shelf.putting(item, **{field.name: sample_of(field.kind, 1)})()
    return _restoring(Desk(shelf.scene.desk.client, shelf.resource.path), item)


def import_resource(shelf: Shelf) -> Step:
    return _importing(shelf.scene, shelf.body())


def import_table(shelf: Shelf) -> Step | None:
    """Import a CSV file with one item, by the first unique column of its table."""
    kind, body = shelf.resource, shelf.body()
    unique = next((c.key for c in kind.model.__table__.c if c.unique), None)
    if kind.named or unique is None:
        return None
    own = {f.name: f.kind for f in kind.fields if f.name in body}
    parsed = {name: json.loads for name in own if not isinstance(body[name], str | int)}
    attribute, text = getattr(kind.model, unique), f"imported-{next(NUMBERS)}"
    is_field = unique in {f.attribute for f in kind.fields}
    declared = CsvImport(
        kind,
        columns=tuple(map(CsvColumn, own)),
        unique=attribute,
        parse=parsed,
        derived={} if is_field else {attribute: lambda _values: text},
    )
    cells = [body[n] if isinstance(body[n], str) else json.dumps(body[n]) for n in own]
    file = StringIO()
    csv.writer(file).writerows([[*own], cells])

    def step() -> str:
        report = declared.run(shelf.scene.instance, BytesIO(file.getvalue().encode()))
        return next((each.error for each in report.errors), "")

    return step


OF_RESOURCES: dict[Callable[[Shelf], Step | None], PublicationWay] = {
    create_public: PublicationWay.CREATION,
    edit_public: PublicationWay.EDIT,
    publish_draft: PublicationWay.PUBLISHING,
    restore_public: PublicationWay.RESTORE,
    import_resource: PublicationWay.IMPORT,
    import_table: PublicationWay.IMPORT,
}
