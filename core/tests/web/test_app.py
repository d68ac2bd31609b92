"""The assembled application: its endpoints are closed by default, and its parts are validated."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyramid.request import Request
from webtest import TestApp

from masthead.auth.models import User
from masthead.core_plugin import plugin as core
from masthead.errors import StartError
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.plugins import Plugin, collect
from masthead.schemas.field_types import Bool
from masthead.schemas.schema import required, schema
from masthead.testing.client import Client
from masthead.web.app import app_of, main, make_app

ANSWER = schema({"done": required(Bool())})


def view(_request: Request) -> Any:
    return {"done": True}


def endpoint(permission: str, path: str = "/api/memos") -> Endpoint:
    return Endpoint(
        name="memos.do",
        method="GET",
        path=path,
        view=view,
        permission=permission,
        summary="Do",
        returns=ANSWER,
    )


class Hooks:
    def __init__(self, *endpoints: Endpoint) -> None:
        self._endpoints = list(endpoints)

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return self._endpoints


def endpoints(instance: Instance) -> list[Endpoint]:
    return [found for _, found in collect(instance.manager, "masthead_routes", instance=instance)]


def call(client: Client, endpoint: Endpoint) -> Any:
    """Call an endpoint with an empty body and unknown ids."""
    path = re.sub(r"\{[^}]*\}", "4096", endpoint.path)
    return client.request(path, method=endpoint.method, status="*")


def test_without_a_token_everything_that_is_not_public_is_closed(
    app: Client, instance: Instance
) -> None:
    closed = [each for each in endpoints(instance) if each.permission != PUBLIC]
    assert closed
    for header in ({}, {"Authorization": "Bearer junk"}, {"Authorization": "Basic YTpi"}):
        for each in closed:
            path = re.sub(r"\{[^}]*\}", "4096", each.path)
            answer = app.request(path, method=each.method, headers=header, status=401)
            assert answer.json == {"error": "Unauthorized"}, each.name


def test_without_a_role_everything_that_asks_for_a_permission_is_closed(
    app: Client, instance: Instance, make_user: Callable[..., User]
) -> None:
    nobody = app.as_user(make_user(role=None))
    for each in endpoints(instance):
        status = call(nobody, each).status_int
        if each.permission in (PUBLIC, SIGNED_IN):
            assert status not in (401, 403) or each.name == "auth.login", each.name
        else:
            assert status == 403, each.name


def test_an_administrator_may_call_everything(app: Client, instance: Instance) -> None:
    admin = app.as_role("admin")
    for each in endpoints(instance):
        assert call(admin, each).status_int not in (401, 403), each.name


def test_staff_and_auth_addresses_are_never_public_but_for_logging_in_and_out(
    instance: Instance,
) -> None:
    public = {
        each.path
        for each in endpoints(instance)
        if each.permission == PUBLIC and each.path.startswith(("/api/staff", "/api/auth"))
    }

    assert public == {"/api/auth/login", "/api/auth/logout"}


class TestAPluginsEndpoint:
    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [core, Plugin(name="memos", hooks=(Hooks(endpoint("memos.shred")),))]

    def test_an_undeclared_permission_stops_the_start(self, instance: Instance) -> None:
        with pytest.raises(StartError) as error:
            app_of(instance)

        assert "memos.do requires memos.shred, which is not declared" in str(error.value)


class TestAPluginThatTakesAnAddressOfCore:
    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        return [core, Plugin(name="memos", hooks=(Hooks(endpoint(PUBLIC, "/healthz")),))]

    def test_it_stops_the_start_naming_both(self, instance: Instance) -> None:
        with pytest.raises(StartError) as error:
            app_of(instance)

        assert "core and memos both declare GET /healthz (memos.do)" in str(error.value)


def test_the_factories_make_the_application_that_settings_describe(tmp_path: Path) -> None:
    ini = {
        "masthead.data": str(tmp_path),
        "masthead.plugins": "core",
        "masthead.base_url": "https://api.example.org",
        "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
    }
    # OPTIONS needs no database connection, which this test couldn't close.
    for app in (make_app(ini, {}), main({"here": str(tmp_path)}, **ini)):
        assert "Strict-Transport-Security" in TestApp(app).options("/").headers


def test_a_factory_refuses_settings_that_cannot_work(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"^unknown plugin nwes"):
        main({}, **{"masthead.data": str(tmp_path), "masthead.plugins": "nwes"})


def test_a_factory_without_settings_obeys_the_variable_with_the_configuration_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "masthead.ini"
    config.write_text(
        f"[app:main]\nmasthead.data = {tmp_path / 'data'}\nmasthead.plugins = core\n"
        "masthead.base_url = https://api.example.org\n"
        "masthead.auth.secrets = 4d0f2c77b1e94a8c9f63a1d85be27c06\n"
    )

    app = make_app(environ={"MASTHEAD_CONFIG": str(config)})
    with pytest.raises(StartError, match=r"missing\.ini"):
        make_app(environ={"MASTHEAD_CONFIG": str(tmp_path / "missing.ini")})
    config.write_text("[app:main]\ndatabase.url = sqlite:///other.db\n")
    with pytest.raises(StartError, match=r"database\.url"):
        make_app(environ={"MASTHEAD_CONFIG": str(config)})

    assert "Strict-Transport-Security" in TestApp(app).options("/").headers
    assert sorted(path.name for path in tmp_path.iterdir()) == ["masthead.ini"]
