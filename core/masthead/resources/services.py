"""Listing, creating, changing and deleting the items of a resource."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.db import utcnow
from masthead.db.unique import unique
from masthead.errors import NotFound
from masthead.paging import Page, Window
from masthead.resources.declaration import Resource


def list_items(
    session: Session, resource: Resource, window: Window, wanted: Mapping[str, Any]
) -> Page:
    """A page of the items.

    :param wanted: values by wire name that the items have to have.
    """
    attributes = {f.name: f.attribute for f in resource.fields}
    model = resource.model
    chosen = [getattr(model, attributes[name]) == value for name, value in wanted.items()]
    total = session.scalar(select(func.count()).select_from(model).where(*chosen))
    # Long texts that a list doesn't show aren't read for it.
    unlisted = [getattr(model, f.attribute) for f in resource.fields if not f.listed]
    shown = [defer(column, raiseload=True) for column in unlisted]
    rows = select(model).where(*chosen).order_by(*resource.ordering()).options(*shown)
    return Page(list(session.scalars(rows.limit(window.limit).offset(window.offset))), total or 0)


def get_item(session: Session, resource: Resource, item_id: int | str) -> Any:
    """One item.

    :raises NotFound: where there is none.
    """
    item = session.get(resource.model, item_id)
    if item is None:
        raise NotFound
    return item


def lock_item(session: Session, resource: Resource, item_id: int | str) -> Any:
    """One item, read afresh and locked until the transaction ends.

    :raises NotFound: where there is none.
    """
    item = session.get(resource.model, item_id, with_for_update=True, populate_existing=True)
    if item is None:
        raise NotFound
    return item


def create_items(
    session: Session,
    resource: Resource,
    bodies: Sequence[Mapping[str, Any]],
    caller: Caller | None,
) -> list[Any]:
    """Make items.

    :param bodies: checked values by wire name.
    :raises Invalid: where values don't fit together, or what has to be unique isn't.
    """
    for body in bodies:
        resource.check({f.name: body.get(f.name) for f in resource.fields})
    items = [resource.model(**_attributes(resource, body)) for body in bodies]
    if resource.named:
        for item, body in zip(items, bodies, strict=True):
            item.id = body["id"]
    with unique(session, "id: There is one already", resource.model.id):
        resource.flush(session, items)
    for item in items:
        if getattr(item, "published", False):
            _record(session, resource, "content.publish", item, caller)
    return items


def update_item(
    session: Session,
    resource: Resource,
    item: Any,
    values: Mapping[str, Any],
    caller: Caller | None,
) -> None:
    """Change what was sent of a locked item; what is as it was raises no revision.

    :param values: checked, by wire name.
    :raises Invalid: where values don't fit together, or what has to be unique isn't.
    """
    shown = {f.name: getattr(item, f.attribute) for f in resource.fields}
    allowed = {f.name for f in resource.changeable}
    changed = {n: value for n, value in values.items() if n in allowed and value != shown[n]}
    if not changed:
        return
    resource.check(shown | changed)
    for attribute, value in _attributes(resource, changed).items():
        setattr(item, attribute, value)
    item.revision += 1
    item.updated_at = utcnow()
    resource.flush(session, [item])
    if "published" in changed:
        action = "content.publish" if item.published else "content.unpublish"
        _record(session, resource, action, item, caller)


def delete_item(session: Session, resource: Resource, item: Any, caller: Caller | None) -> None:
    """Delete a locked item for good.

    :raises Refused: where it has to stay.
    """
    resource.before_delete(session, item)
    _record(session, resource, "content.delete", item, caller)
    session.delete(item)
    session.flush()


def _attributes(resource: Resource, values: Mapping[str, Any]) -> dict[str, Any]:
    return {f.attribute: values[f.name] for f in resource.fields if f.name in values}


def _record(
    session: Session, resource: Resource, action: str, item: Any, caller: Caller | None
) -> None:
    # The log's column holds numbers.
    which: dict[str, Any] = {"id": item.id} if resource.named else {"content_id": item.id}
    actor = caller.id if caller else None
    record(session, action, actor, content_type=resource.name, **which)
