"""The kinds of items that the trash can have, and the permissions that they need."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType, content_types_of
from masthead.errors import Forbidden, NotFound
from masthead.http.permissions import ADMIN
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.trashed import TrashedItem

PURGE = "trash.purge"
"""The permission to delete items from the trash, beside the one to change items of their kind."""
Kind = ContentType | Resource


def trash_kinds(instance: Instance) -> Mapping[str, Kind]:
    """Return the content types and resources whose deleted items go to the trash, by name."""
    kinds: dict[str, Kind] = {each.name: each for each in content_types_of(instance)}
    return kinds | {name: each for name, each in instance.resources.items() if each.trash}


def readable(instance: Instance, caller: Caller) -> Collection[str] | None:
    """Return the names of the kinds that a caller may read.

    :returns: None for an administrator, who also reads items of plugins that are disabled now.
    """
    if caller.may(ADMIN):
        return None
    kinds = trash_kinds(instance)
    return [name for name, kind in kinds.items() if caller.may(kind.read_permission)]


def read_permission(instance: Instance, name: str) -> str:
    """Return the permission to read the items of a kind in the trash."""
    kind = trash_kinds(instance).get(name)
    return ADMIN if kind is None else kind.read_permission


def check_read(session: Session, trashed: TrashedItem, caller: Caller) -> Kind | None:
    """Return the kind of an item in the trash; None if its plugin is disabled now.

    :raises NotFound: if the caller may not read it.
    """
    instance = instance_of(session)
    if not caller.may(read_permission(instance, trashed.kind)):
        raise NotFound
    return trash_kinds(instance).get(trashed.kind)


def check_write(session: Session, trashed: TrashedItem, caller: Caller) -> Kind | None:
    """Return the kind of an item in the trash as ``check_read`` does.

    :raises NotFound: if the caller may not read it.
    :raises Forbidden: if the caller may not change items of its kind.
    """
    kind = check_read(session, trashed, caller)
    if kind is not None and not may_write(kind, caller):
        raise Forbidden
    return kind


def may_write(kind: Kind, caller: Caller) -> bool:
    """Whether a caller may change items of a kind."""
    return all(map(caller.may, (kind.write_permission, *kind.also_needs)))
