"""The rows that are created and granted at the first start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from webtest import TestApp

from masthead.auth.approvers import Approver
from masthead.auth.models import Role, RolePermission, User
from masthead.auth.passwords import hash_password
from masthead.auth.services.users import create_user
from masthead.auth.setup import first_admin, sync_grants
from masthead.cli.first_start import prepare
from masthead.db import Database
from masthead.db.once import OnceMarker
from masthead.instance import Instance, open_instance
from masthead.plugins import Plugin
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client
from masthead.web.app import app_of


def grants(session: Session, role: str) -> set[str]:
    statement = select(RolePermission.permission).join(Role).where(Role.name == role)
    return set(session.scalars(statement))


def approvers(session: Session) -> list[tuple[str, str]]:
    statement = select(Approver.content_type, Role.name).join(Role, Role.id == Approver.role_id)
    return [(name, role) for name, role in session.execute(statement)]


def test_the_built_in_roles_get_the_declared_permissions(session: Session) -> None:
    assert grants(session, "admin") == {"admin"}
    assert {"shelf.read", "shelf.write"} <= grants(session, "editor")
    assert not {"shelf.burn", "admin"} & grants(session, "editor")
    assert approvers(session) == [("books", "admin")]


def test_a_permission_is_granted_only_once(instance: Instance, session: Session) -> None:
    with instance.database.transaction() as writing:
        writing.execute(delete(RolePermission).where(RolePermission.permission == "shelf.read"))
        writing.execute(delete(Approver))

    for _ in range(2):
        with instance.database.transaction() as writing:
            sync_grants(writing, instance)

    assert "shelf.read" not in grants(session, "editor")
    assert "shelf.write" in grants(session, "editor")
    assert approvers(session) == []


def test_a_split_permission_goes_to_the_roles_that_had_it_as_part_of_another(
    instance: Instance, session: Session, make_role: Callable[..., Role]
) -> None:
    assert "shelf.lenders" in grants(session, "editor")
    session.rollback()
    with instance.database.transaction() as writing:
        # The database of an earlier version, which doesn't know the permission.
        lenders = "shelf.lenders"
        writing.execute(delete(RolePermission).where(RolePermission.permission == lenders))
        writing.execute(delete(OnceMarker).where(OnceMarker.name == lenders))
        read = RolePermission.permission == "shelf.read"
        writing.execute(delete(RolePermission).where(read))
    make_role("reader", "shelf.read")
    make_role("writer", "shelf.write", "shelf.burn")

    for _ in range(2):
        with instance.database.transaction() as writing:
            sync_grants(writing, instance)

    assert grants(session, "reader") == {"shelf.read", "shelf.lenders"}
    assert grants(session, "writer") == {"shelf.write", "shelf.burn"}
    assert "shelf.lenders" not in grants(session, "editor")


@pytest.fixture
def plugins_later(plugins: list[Plugin]) -> Mapping[str, Plugin]:
    return {plugin.name: plugin for plugin in plugins}


def test_permissions_of_a_later_plugin_are_granted_then(
    tmp_path: Path,
    without_shelf: Mapping[str, Plugin],
    plugins_later: Mapping[str, Plugin],
) -> None:
    ini = {"masthead.data": str(tmp_path)}
    before = open_instance(ini, {}, without_shelf)
    for plugin in before.plugins:
        assert plugin.metadata is not None
        plugin.metadata.create_all(before.database.engine)
    with before.database.transaction() as session:
        sync_grants(session, before)
        assert "shelf.read" not in grants(session, "editor")
    before.close()

    after = open_instance(ini, {}, plugins_later)
    with after.database.transaction() as session:
        sync_grants(session, after)
        assert {"shelf.read", "shelf.write"} <= grants(session, "editor")
        assert approvers(session) == [("books", "admin")]
    after.close()


def test_an_approver_configured_before_the_start_is_kept(
    tmp_path: Path,
    without_shelf: Mapping[str, Plugin],
    plugins_later: Mapping[str, Plugin],
) -> None:
    ini = {"masthead.data": str(tmp_path)}
    before = open_instance(ini, {}, without_shelf)
    prepare(before)
    before.close()

    after = open_instance(ini, {}, plugins_later)
    with after.database.transaction() as session:
        create_user(session, {"username": "ada", "roles": ["admin"]}, hash_password(PASSWORD), None)
    app = TestApp(app_of(after))
    login = {"username": "ada", "password": PASSWORD}
    app.authorization = ("Bearer", app.post_json("/api/auth/login", login).json["token"])
    roles = {role["name"]: role["id"] for role in app.get("/api/staff/roles").json}
    for role_id in roles.values():
        body = {"contentType": "books", "roleId": role_id}
        app.post_json("/api/staff/approval-config", body)

    for _ in range(2):
        prepare(after)
        with after.database.session(read_only=True) as session:
            assert sorted(approvers(session)) == [("books", "admin"), ("books", "editor")]
            assert {"shelf.read", "shelf.write"} <= grants(session, "editor")
    after.close()


def test_starting_twice_at_once_grants_once(instance: Instance, session: Session) -> None:
    with instance.database.transaction() as writing:
        for table in ("core_approver", "core_role_permission", "core_seen", "core_role"):
            writing.execute(delete(Role.metadata.tables[table]))

    def start(_: int) -> None:
        with instance.database.transaction() as writing:
            sync_grants(writing, instance)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(start, range(8)))

    assert sorted(session.scalars(select(Role.name))) == ["admin", "editor"]
    assert approvers(session) == [("books", "admin")]


def test_the_first_admin_is_created_where_there_is_no_user(
    app: Client, database: Database, session: Session
) -> None:
    with database.transaction() as writing:
        made = first_admin(writing)
    assert made is not None
    with database.transaction() as writing:
        assert first_admin(writing) is None

    name, password = made
    assert name == "admin"
    assert len(password) >= 16
    user = app.post_json("/api/auth/login", {"username": name, "password": password}).json["user"]
    assert user["roles"] == ["admin"]
    assert "admin" in user["permissions"]
    assert len(session.scalars(select(User)).all()) == 1


def test_no_admin_is_created_where_there_is_a_user(
    database: Database, make_user: Callable[..., User]
) -> None:
    make_user(role=None, disabled=True)

    with database.transaction() as session:
        assert first_admin(session) is None
