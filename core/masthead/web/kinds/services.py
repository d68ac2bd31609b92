"""The descriptions of content types, resources and other items, and the caller's part in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from operator import attrgetter
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.approval.declaration import STATUSES, Approvable
from masthead.approval.services import may_edit_live
from masthead.approval.settings import FOUR_EYES, REQUIRED
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, WITHDRAW
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.taglinks import TAG_IDS
from masthead.http.endpoints import Endpoint
from masthead.http.paging import paging_fields
from masthead.http.permissions import PUBLIC
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.resources.options import CREATE, LIST, SHOW, UPDATE
from masthead.resources.trashed import KEEP_DAYS
from masthead.schemas.fields import Field
from masthead.schemas.labels import plural_of
from masthead.schemas.schema import ListOf, Nullable, Object, help_of
from masthead.trash.kinds import trash_kinds
from masthead.web.kinds.controls import control, element_of, members_of
from masthead.web.kinds.groups import Group, groups_of
from masthead.web.kinds.schemas import CONTENT, RESOURCE

Described = dict[str, Any]
Kind = ContentType | Resource | Group


class Kinds:
    """Describes the content types and resources of an instance, once for all callers."""

    def __init__(self, instance: Instance) -> None:
        self._endpoints = {each.name: each for each in instance.endpoints}
        self._paths = {each.path for each in instance.endpoints if each.permission == PUBLIC}
        self._four_eyes = instance.settings[FOUR_EYES]
        self._required = instance.settings[REQUIRED]
        self._trashable = trash_kinds(instance) if instance.settings[KEEP_DAYS] else {}
        declared: list[Kind] = [*content_types_of(instance), *instance.resources.values()]
        paths = {each.path if isinstance(each, Resource) else each.name for each in declared}
        groups = sorted(groups_of(instance.endpoints, paths), key=attrgetter("path"))
        self._described = [(it, self._describe(it)) for it in (*declared, *groups)]

    def readable(self, session: Session, caller: Caller) -> list[Described]:
        """Return the kinds of items that a caller may read, with the operations open to them."""
        return [
            {**described, **self._powers(session, it, caller)}
            for it, described in self._described
            if caller.may(it.read_permission)
        ]

    def _describe(self, it: Kind) -> Described:
        """Return everything that doesn't depend on the caller."""
        path = it.name if isinstance(it, ContentType) else it.path
        own = self._operations(it)
        public = f"/api/{path}"
        return {
            "name": it.name,
            "kind": CONTENT if isinstance(it, ContentType) else RESOURCE,
            "label": it.label,
            "pluralLabel": plural_of(it),
            "description": it.description
            if isinstance(it, Group)
            else (it.model.__doc__ or "").partition("\n")[0],
            "path": f"/api/staff/{path}",
            "publicPath": public if public in self._paths else None,
            "idKind": "integer" if isinstance(it, ContentType) or not it.named else "text",
            "schemas": _schemas(own),
            "operations": list(own),
            "trash": it.name in self._trashable,
            "permissions": {
                "read": [it.read_permission],
                "write": [it.write_permission, *it.also_needs],
            },
            "fields": _fields(it, own),
            "filters": _filters(own),
            "order": [it.order, *it.staff_order] if isinstance(it, ContentType) else [*it.order],
        }

    def _operations(self, it: Kind) -> dict[str, Endpoint]:
        """Return the endpoints for staff by the names of their operations."""
        if isinstance(it, Group):
            return dict(it.operations)
        start = f"staff.{it.name}."
        return {
            name.removeprefix(start): each
            for name, each in self._endpoints.items()
            if name.startswith(start)
        }

    def _powers(self, session: Session, it: Kind, caller: Caller) -> Described:
        """Return the operations that a caller may perform, and the workflow as they see it."""
        approval = it if isinstance(it, ContentType) else it.approval
        writes = all(caller.may(each) for each in (it.write_permission, *it.also_needs))
        approves = approval is not None and approval.name in caller.approves
        edits_live = approval is None or may_edit_live(session, approval, caller)
        return {
            "may": {
                "read": True,
                "write": writes,
                "approve": approves,
                "editLive": writes and edits_live,
            },
            "approval": self._approval(approval, writes=writes, approves=approves),
        }

    def _approval(self, it: Approvable | None, *, writes: bool, approves: bool) -> Described | None:
        if it is None:
            return None
        moves = ((REQUEST, writes), (APPROVE, approves), (REJECT, approves), (WITHDRAW, writes))
        return {
            "contentType": it.name,
            "states": STATUSES,
            "moves": [
                {"name": m.name, "from": m.sources, "to": m.target, "allowed": allowed}
                for m, allowed in moves
            ],
            "fourEyes": self._four_eyes,
            "required": self._required[it.name],
        }


def _schemas(operations: Mapping[str, Endpoint]) -> dict[str, str]:
    """Return the names of the schemas of the usual operations: bodies, and the answers of reads."""
    found = {}
    for name in (CREATE, UPDATE):
        body = operations[name].body if name in operations else None
        if body is not None:
            found[name] = body.type_name
    for name in (LIST, SHOW):
        answer = operations[name].returns if name in operations else None
        shown = answer.inner if isinstance(answer, ListOf) else answer
        if isinstance(shown, Object):
            found[name] = shown.node.type_name
    return found


def _fields(it: Kind, operations: Mapping[str, Endpoint]) -> list[Described]:
    """Return the fields that the body of a create or of an update can contain."""
    create, update = (_members(operations.get(name)) for name in (CREATE, UPDATE))
    stored = {field.name: field for field in it.fields}
    return [
        {
            **_field(name, create.get(name) or update[name], stored.get(name)),
            "required": name in create and create[name].required,
            "creatable": name in create,
            "editable": name in update,
        }
        for name in dict.fromkeys([*create, *update])
        if name != "etag"
    ]


def _members(endpoint: Endpoint | None) -> dict[str, colander.SchemaNode]:
    body = endpoint.body if endpoint is not None else None
    return {} if body is None else {child.name: child for child in body.children}


def _field(name: str, child: colander.SchemaNode, stored: Field | None) -> Described:
    """Return a field of a body; ``stored`` is None for one that isn't a column, such as tags."""
    return {
        "name": name,
        **control(name, child.typ),
        **({"widget": "tags"} if name == TAG_IDS else {}),
        "element": element_of(name, child.typ),
        "members": members_of(child.typ),
        "nullable": isinstance(child.typ, Nullable),
        "listed": None if stored is None else stored.listed,
        "public": None if stored is None else stored.public,
        "staged": None if stored is None else stored.staged,
        "defaultValue": None if stored is None else _default(stored),
        "help": help_of(child),
    }


def _default(field: Field) -> Any:
    """Return the JSON value of a default; None for one that depends on the time."""
    value = field.default()
    return None if value is None or isinstance(value, date) else field.kind.dump(value)


def _filters(operations: Mapping[str, Endpoint]) -> list[Described]:
    paging = {child.name for child in paging_fields()}
    children = operations[LIST].parameters.children if LIST in operations else []
    return [
        {"name": child.name, **control(child.name, child.typ), "help": help_of(child)}
        for child in children
        if child.name not in paging
    ]
