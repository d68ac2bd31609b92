"""The fixtures for tests of Masthead and its plugins."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from pyramid.request import Request
from pyramid.response import Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.auth.models import Role, User
from masthead.core_plugin import plugin as core
from masthead.csv import write_csv
from masthead.db import Database, utcnow
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.wire import dump_json, error_response, json_response
from masthead.instance import Instance
from masthead.plugins import Plugin
from masthead.schemas.field_types import Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, required, schema
from masthead.testing.client import Client
from masthead.testing.clock import Clock

TAG = schema({"name": required(Str())})
THING = schema(
    {
        "id": required(Int()),
        "at": required(Timestamp()),
        "tags": required(ListOf(Object(TAG))),
    }
)
GOOD = {"id": 1, "at": "2026-03-01T09:30:00.000Z", "tags": [{"name": "a"}]}


def parrot(request: Request) -> Any:
    """Return the response that the query describes, valid or not."""
    if "status" in request.GET:
        return error_response(int(request.GET["status"]), request.GET["message"])
    if "lifetime" in request.GET:
        response = json_response(GOOD)
        response.headers["Cache-Control"] = request.GET["lifetime"]
        return response
    if "bug" in request.GET:
        raise ZeroDivisionError
    return request.GET["body"].encode()


def who(request: Request) -> dict[str, Any]:
    """Return the caller and the time."""
    return {"id": request.identity.id, "at": utcnow(), "tags": []}


def table(request: Request) -> Response:
    """Return a CSV file with one cell."""
    file = io.StringIO(newline="")
    write_csv(file, ["name"], [[request.GET["cell"]]], spreadsheet_safe="safe" in request.GET)
    return Response(file.getvalue(), content_type="text/csv", charset="utf-8")


class Parrots:
    """The hooks of a plugin whose endpoints return their input."""

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [
            Endpoint(
                name="parrots.speak",
                method="GET",
                path="/api/parrot",
                view=parrot,
                permission=PUBLIC,
                summary="Speak",
                returns=THING,
            ),
            Endpoint(
                name="parrots.who",
                method="GET",
                path="/api/staff/parrot",
                view=who,
                permission=SIGNED_IN,
                summary="Who",
                returns=THING,
            ),
            Endpoint(
                name="parrots.table",
                method="GET",
                path="/api/staff/parrot.csv",
                view=table,
                permission=SIGNED_IN,
                summary="Return a table",
                returns="text/csv",
            ),
        ]


PARROTS = Plugin(name="parrots", hooks=(Parrots(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PARROTS]


def told(body: Any) -> str:
    return "/api/parrot?" + urlencode({"body": dump_json(body)})


def test_an_answer_as_declared_passes(app: Client) -> None:
    assert app.get(told(GOOD)).json == GOOD


@pytest.mark.parametrize(
    "change",
    [
        {"secret": 1},
        {"id": "1"},
        {"id": None},
        {"at": "2026-03-01T09:30:00Z"},
        {"at": "2026-03-01T09:30:00.000+00:00"},
        {"tags": [{"name": "a", "secret": 1}]},
        {"tags": [{}]},
    ],
)
def test_an_answer_unlike_its_schema_fails_the_test(app: Client, change: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=r"parrots\.speak"):
        app.get(told({**GOOD, **change}))


def test_a_missing_field_fails_the_test(app: Client) -> None:
    with pytest.raises(AssertionError, match="'at' is a required property"):
        app.get(told({"id": 1, "tags": []}))


def test_an_undeclared_status_fails_the_test(app: Client) -> None:
    with pytest.raises(AssertionError, match="none of those declared: 200, 304"):
        app.get("/api/parrot?status=403&message=No", status=403)


def test_a_bug_fails_the_test_unless_it_is_asked_for(app: Client) -> None:
    with pytest.raises(AssertionError):
        app.get("/api/parrot?bug=1", status="*")

    assert "error" in app.get("/api/parrot?bug=1", status=500).json


def test_an_answer_past_the_cache_headers_fails_the_test(app: Client) -> None:
    with pytest.raises(AssertionError, match="Cache-Control is 'private'"):
        app.get("/api/parrot?lifetime=private")


def test_a_message_with_internals_fails_the_test(app: Client) -> None:
    with pytest.raises(AssertionError, match="internals"):
        app.get("/api/parrot?status=500&message=Traceback", status=500)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@A", "\t=1", "\r=1", "\n=1", "＝1"])
def test_a_csv_answer_with_a_formula_fails_the_test(app: Client, cell: str) -> None:
    path = "/api/staff/parrot.csv?" + urlencode({"cell": cell})

    with pytest.raises(AssertionError, match="spreadsheets evaluate the cell"):
        app.as_role("editor").get(path)
    assert f"'{cell}" in app.as_role("editor").get(f"{path}&safe=1").text


def test_responses_of_no_endpoint_are_checked_too(app: Client) -> None:
    assert app.get("/nowhere", status=404).json == {"error": "Not found"}
    assert app.get("/api/parrot/%ff", status=404).json == {"error": "Not found"}
    app.get("/api/parrot?body=%ff", status=400)
    app.post("/api/parrot", status=404)
    app.options("/api/parrot")


def test_a_head_request_is_checked_as_its_get(app: Client) -> None:
    assert app.head(told(GOOD)).body == b""


def test_a_client_is_anonymous_by_default(app: Client) -> None:
    app.get("/api/staff/parrot", status=401)


def test_a_client_asks_as_a_user(app: Client, make_user: Callable[..., User]) -> None:
    ada, ben = make_user("ada"), make_user("ben", role=None)

    assert app.as_user(ada).get("/api/staff/parrot").json["id"] == ada.id
    assert app.as_user(ben).get("/api/staff/parrot").json["id"] == ben.id
    app.get("/api/staff/parrot", status=401)


def test_a_client_asks_as_the_holder_of_a_role(app: Client, session: Session) -> None:
    editor = app.as_role("editor").get("/api/staff/parrot").json["id"]

    assert app.as_role("editor").get("/api/staff/parrot").json["id"] == editor
    assert app.as_role("admin").get("/api/staff/parrot").json["id"] != editor
    assert [role.name for role in session.get_one(User, editor).roles] == ["editor"]


def test_a_role_is_made_with_its_permissions(
    make_role: Callable[..., Role], make_user: Callable[..., User], session: Session
) -> None:
    make_role("Reader", "admin")

    user = make_user(role="reader", roles=("editor",))

    held = session.get_one(User, user.id).roles
    assert {role.name: [grant.permission for grant in role.grants] for role in held}["Reader"] == [
        "admin"
    ]


def test_a_role_that_does_not_exist_is_noticed(make_user: Callable[..., User]) -> None:
    with pytest.raises(AssertionError, match="wizard"):
        make_user(role="wizard")


@pytest.mark.parametrize("name", ["ada", "Ada"])
def test_each_test_has_a_database_of_its_own(
    name: str, make_user: Callable[..., User], session: Session
) -> None:
    make_user(name)

    assert session.scalar(select(func.count(User.id))) == 1


def test_the_session_sees_the_commits_of_others(session: Session, database: Database) -> None:
    with database.transaction() as writing:
        writing.add(Role(name="a", name_key="a"))
    found = session.scalars(select(Role).where(Role.name_key == "a")).one()

    with database.transaction() as writing:
        writing.get_one(Role, found.id).description = "b"

    assert session.scalars(select(Role).where(Role.name_key == "a")).one().description == "b"


def test_the_clock_stands_still_until_it_is_moved(clock: Clock, app: Client) -> None:
    before = clock.now()
    client = app.as_role("editor")

    first = client.get("/api/staff/parrot").json["at"]
    clock.shift(days=1, hours=2)
    second = client.get("/api/staff/parrot").json["at"]
    clock.move_to("2026-03-07T23:00:00+01:00")
    third = client.get("/api/staff/parrot").json["at"]

    assert clock.now() - before == timedelta(days=6, hours=12, minutes=30)
    assert [first, second, third] == [
        "2026-03-01T09:30:00.000Z",
        "2026-03-02T11:30:00.000Z",
        "2026-03-07T22:00:00.000Z",
    ]


def test_a_moment_without_a_time_zone_is_refused(clock: Clock) -> None:
    with pytest.raises(ValueError, match="time zone"):
        clock.move_to("2026-03-07T23:00:00")


class TestSettings:
    """Settings that a class overrides."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.base_url": "https://example.org"}

    def test_settings_can_be_overridden(self, app: Client, instance: Instance) -> None:
        answer = app.get(told(GOOD))

        assert "Strict-Transport-Security" in answer.headers
        assert [plugin.name for plugin in instance.plugins] == ["core", "parrots"]
