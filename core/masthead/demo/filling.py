"""Filling the demo in: plugins write it, through the services that the staff API uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import colander
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.services import move, publish_new
from masthead.approval.transitions import REQUEST
from masthead.auth.approvers import Approver
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.auth.services.roles import create_role
from masthead.auth.services.users import DEFAULT_ROLE, create_user
from masthead.content import schemas as content_schemas
from masthead.content import services as content_services
from masthead.content.contenttype import ContentType
from masthead.content.staging import TAG_IDS
from masthead.db import utcnow
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.demo.declaration import Demo
from masthead.errors import Refusal, StartError
from masthead.instance import Instance, instance_of
from masthead.plugins import CORE
from masthead.resources import schemas as resource_schemas
from masthead.resources import services as resource_services
from masthead.schemas.schema import bound, load
from masthead.tags.models import Tag
from masthead.tags.services import ensure_tags
from masthead.transfer.tables import filled, travelling_tables

TAGS = "tags"
_DEMO = "demo"
"""The kind of the :class:`OnceMarker` row that remembers that the demo was filled in."""
_APPROVING = {
    "name": "coordinator",
    "description": "Approves what the organisation of the demo publishes.",
}


@dataclass
class _Filling(Demo):
    _drafts: list[tuple[Approvable, int]] = field(default_factory=list)

    def publish(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        content_type = self._content_type(name)
        items = self._create(content_type, list(values))
        publish_new(self.session, content_type, items, self.approver)
        return items

    def draft(self, name: str, values: Mapping[str, Any]) -> Any:
        content_type = self._content_type(name)
        [item] = self._create(content_type, [values])
        self._drafts.append((content_type, item.id))
        return item

    def keep(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        resource = instance_of(self.session).resources[name]
        body = resource_schemas.create_body(resource)
        bodies = [self.checked(body, each) for each in values]
        items = resource_services.create_items(self.session, resource, bodies, self.author)
        if resource.approval is not None:
            self._drafts += [(resource.approval, item.id) for item in items]
        return items

    def checked(self, body: colander.SchemaNode, values: Mapping[str, Any]) -> dict[str, Any]:
        return load(bound(body, instance_of(self.session).settings), values)

    def request_approval(self) -> None:
        """Request approval for one draft, so that something waits for who starts the demo."""
        for name in instance_of(self.session).content_types:
            for content_type, item_id in self._drafts:
                if content_type.name == name and self.author.may(content_type.write_permission):
                    move(self.session, content_type, item_id, REQUEST, self.author)
                    return

    def _content_type(self, name: str) -> ContentType:
        found = instance_of(self.session).content_types[name]
        assert isinstance(found, ContentType)
        return found

    def _create(self, content_type: ContentType, values: Sequence[Mapping[str, Any]]) -> list[Any]:
        names = dict.fromkeys(name for each in values for name in each.get(TAGS, ()))
        ids = ensure_tags(self.session, names)
        body = content_schemas.create_body(content_type)
        bodies = [
            self.checked(body, {**each, TAG_IDS: [ids[name] for name in each.get(TAGS, ())]})
            for each in values
        ]
        return content_services.create_items(self.session, content_type, bodies, self.author)


def fill(instance: Instance) -> bool:
    """Fill the demo into an instance whose tables are made, wholly or not at all.

    :returns: False where the instance has the demo already, whatever became of it since.
    :raises StartError: where the instance isn't empty: a table of an enabled plugin has a row that
        an export would take along, tables with rows from the start aside, or there is a tag.
    """
    with instance.database.transaction() as session:
        lock(session, _DEMO)
        seen = select(OnceMarker).where(OnceMarker.kind == _DEMO)
        if session.scalars(seen).first() is not None:
            return False
        _check_empty(session, instance)
        try:
            author, approver = _make_staff(session, instance)
            demo = _Filling(session, utcnow(), author, approver)
            instance.hooks.masthead_demo(session=session, demo=demo)
            demo.request_approval()
        except Refusal as refusal:
            raise StartError(f"the demo can't be filled in: {refusal}") from refusal
        session.add(OnceMarker(kind=_DEMO, name="filled"))
    return True


def _check_empty(session: Session, instance: Instance) -> None:
    kept = [each for each in travelling_tables(instance) if not each.is_seeded]
    tables = [each.table for each in kept if each.owner != CORE or each.table is Tag.__table__]
    used = filled(session, tables)
    if used:
        raise StartError(
            "the demo is for an empty instance, and here are rows in"
            f" {', '.join(used)}; start without --demo"
        )


def _make_staff(session: Session, instance: Instance) -> tuple[Caller, Caller]:
    """An author and an approver."""
    role = create_role(session, _APPROVING, instance.permissions, None)
    session.add_all(Approver(content_type=name, role=role) for name in instance.content_types)
    author = _make_user(session, "demo-noor", "Noor Haddad", [DEFAULT_ROLE])
    approver = _make_user(session, "demo-mateo", "Mateo Vidal", [DEFAULT_ROLE, role.name])
    return _caller(instance, author, ()), _caller(instance, approver, instance.content_types)


def _make_user(session: Session, username: str, shown: str, roles: Sequence[str]) -> User:
    """A user that nobody logs in as: without a password, and disabled."""
    data = {"username": username, "displayName": shown, "roles": roles, "disabled": True}
    return create_user(session, data, "", None)


def _caller(instance: Instance, user: User, approves: Collection[str]) -> Caller:
    granted = {grant.permission for role in user.roles for grant in role.grants}
    permissions = frozenset(granted & instance.permissions.keys())
    return Caller(user.id, user.username, permissions, frozenset(approves))
