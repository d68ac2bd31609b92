"""Filling an empty instance with the demo, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pluggy import HookCaller
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth.approvers import Approver
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.auth.services.roles import create_role
from masthead.auth.services.users import DEFAULT_ROLE, create_user
from masthead.db import utcnow
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.demo.demo import Demo
from masthead.errors import Refusal, StartError
from masthead.faults import CORE, blaming_one_of
from masthead.instance import Instance
from masthead.tags.models import Tag
from masthead.transfer.tables import exportable_tables, filled

_DEMO = "demo"
"""The kind of the :class:`OnceMarker` row that records that the demo was created."""
_APPROVER_ROLE = {
    "name": "coordinator",
    "description": "Approves what the organisation of the demo publishes.",
}


def fill(instance: Instance, only: Collection[str] | None = None) -> bool:
    """Create the demo in an instance whose tables exist; all of it, or nothing.

    :param only: the names of the plugins whose demo is created; by default all.
    :returns: False where the demo was created before, even if it was changed or deleted since.
    :raises StartError: where the instance isn't empty: there is a tag, or a table of an enabled
        plugin has a row. Tables that are not exported or that have initial rows don't count.
    """
    with instance.database.transaction() as session:
        lock(session, _DEMO)
        marker = select(OnceMarker).where(OnceMarker.kind == _DEMO)
        if session.scalars(marker).first() is not None:
            return False
        _check_empty(session, instance)
        try:
            author, approver = _make_staff(session, instance)
            demo = Demo(session, utcnow(), author, approver)
            remedy = "correct the plugin, or start without --demo"
            with blaming_one_of(instance.plugins, "can't fill in its demo", remedy):
                _hook(instance, only)(session=session, demo=demo)
            demo.request_approval()
        except Refusal as refusal:
            raise StartError(f"the demo can't be filled in: {refusal}") from refusal
        session.add(OnceMarker(kind=_DEMO, name="filled"))
    return True


def _hook(instance: Instance, only: Collection[str] | None) -> HookCaller:
    """Return the hook that creates the demo of some plugins."""
    if only is None:
        return instance.hooks.masthead_demo
    named = instance.manager.list_name_plugin()
    others = [hooks for name, hooks in named if name.partition(":")[0] not in only]
    return instance.manager.subset_hook_caller("masthead_demo", others)


def _check_empty(session: Session, instance: Instance) -> None:
    counted = [each for each in exportable_tables(instance) if not each.is_seeded]
    tables = [each.table for each in counted if each.owner != CORE or each.table is Tag.__table__]
    used = filled(session, tables)
    if used:
        raise StartError(
            "the demo is for an empty instance, and here are rows in"
            f" {', '.join(used)}; start without --demo"
        )


def _make_staff(session: Session, instance: Instance) -> tuple[Caller, Caller]:
    """Create an author and an approver."""
    role = create_role(session, _APPROVER_ROLE, instance.permissions, None)
    session.add_all(Approver(content_type=name, role=role) for name in instance.content_types)
    author = _make_user(session, "demo-noor", "Noor Haddad", [DEFAULT_ROLE])
    approver = _make_user(session, "demo-mateo", "Mateo Vidal", [DEFAULT_ROLE, role.name])
    return _caller(instance, author, ()), _caller(instance, approver, instance.content_types)


def _make_user(session: Session, username: str, shown: str, roles: Sequence[str]) -> User:
    """Create a disabled user without a password, so that nobody can log in as it."""
    data = {"username": username, "displayName": shown, "roles": roles, "disabled": True}
    return create_user(session, data, "", None)


def _caller(instance: Instance, user: User, approves: Collection[str]) -> Caller:
    granted = {grant.permission for role in user.roles for grant in role.grants}
    permissions = frozenset(granted & instance.permissions.keys())
    return Caller(user.id, user.username, permissions, frozenset(approves))
