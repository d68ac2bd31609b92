"""Instances with all installed plugins, on either database."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from webtest.forms import Upload

from masthead import (
    Bool,
    Choice,
    ContentType,
    Email,
    Html,
    Instance,
    Int,
    ListOf,
    Nullable,
    Plugin,
    Str,
    Timestamp,
    Url,
    content_types_of,
)
from masthead.auth.tokens import SECRETS
from masthead.http.routes import BASE_URL
from masthead.instance import DATA, DATABASE_URL, PLUGINS, open_instance
from masthead.plugins import installed
from masthead.testing import Client, Desk
from masthead.testing.accounts import Accounts
from masthead.testing.answers import AnswerChecker
from masthead.testing.databases import VARIABLE, Databases, disable_fsync
from masthead.testing.run import received
from masthead.web.app import app_of

IMAGE = "/api/staff/upload/image"
WORDS = ("water", "水を守る", "सागर")
_SECRET = "77aa0d3c1be84f5b9c62e0f4d85a1b30"


@pytest.fixture(scope="session")
def _kinds(
    tmp_path_factory: pytest.TempPathFactory, worker_name: str, postgresql_server: Callable[[], str]
) -> Callable[[str], Databases]:
    made: dict[str, Databases] = {}

    def databases(kind: str) -> Databases:
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            made[kind] = Databases(folder, f"moving_{worker_name}", postgresql_server)
            made[kind].kind = kind
        return made[kind]

    return databases


@pytest.fixture
def available() -> Mapping[str, Plugin]:
    """The plugins of the instances, by name."""
    return installed()


@pytest.fixture
def open_at(available: Mapping[str, Plugin]) -> Iterator[Callable[[str, Path], Instance]]:
    """Opens an instance with the database at a URL and a data folder."""
    with ExitStack() as stack:

        def open_(url: str, folder: Path) -> Instance:
            ini = {
                DATA.name: str(folder),
                DATABASE_URL.name: url,
                PLUGINS.name: " ".join(available),
                SECRETS.name: _SECRET,
                "masthead.email.staff": "office@example.org",
            }
            opened = open_instance(ini, {}, available)
            disable_fsync(opened.database)
            stack.callback(opened.close)
            return opened

        yield open_


@pytest.fixture
def make_instance(
    _kinds: Callable[[str], Databases],
    open_at: Callable[[str, Path], Instance],
    available: Mapping[str, Plugin],
    tmp_path: Path,
) -> Iterator[Callable[[str], Instance]]:
    """Creates an empty instance on ``sqlite`` or ``postgresql`` with a data folder of its own."""
    with ExitStack() as stack:

        def make(kind: str) -> Instance:
            url = stack.enter_context(_kinds(kind).fresh(available, list(available)))
            folder = tmp_path / f"instance-{len(list(tmp_path.glob('instance-*')))}"
            folder.mkdir()
            return open_at(url, folder)

        yield make


@pytest.fixture
def client_of(pytestconfig: pytest.Config) -> Callable[[Instance], Client]:
    """Makes a client of an instance, with accounts of its own."""

    def make(instance: Instance) -> Client:
        checker = AnswerChecker(
            instance.endpoints, received(pytestconfig), instance.settings[BASE_URL]
        )
        return Client(app_of(instance), Accounts(instance), checker)

    return make


@pytest.fixture
def fill(client_of: Callable[[Instance], Client]) -> Callable[[Instance], None]:
    """Creates items of every type, as staff and visitors do."""

    def run(instance: Instance) -> None:
        client, accounts = client_of(instance), Accounts(instance)
        author = accounts.make_user(
            "ada", role="editor", email="ada@example.org", display_name="Ada Lovelace"
        )
        staff, admin = client.as_user(author), client.as_role("admin")
        picture = staff.post(IMAGE, {"file": _picture()}).json["url"]
        tag = admin.post_json("/api/staff/tags", {"name": "Sea"}).json["id"]
        for kind in content_types_of(instance):
            _write_content(Desk(client, kind.name).as_user(author), kind, picture, tag)
        for name, resource in instance.resources.items():
            made = [e for e in instance.endpoints if e.name == f"staff.{name}.create"]
            values = {f.name: _sample(f.kind, 1, picture) for f in resource.fields}
            for endpoint in made:
                admin.post_json(endpoint.path, values, status="*")
        admin.put_json("/api/staff/about", {"mission": {"title": "Why", "content": "<p>So</p>"}})
        admin.put_json("/api/staff/static-images/hero", {"imageUrl": picture}, status="*")
        hello = {"name": "Bo", "email": "bo@example.org", "subject": "Hi", "message": "Hello"}
        client.post_json("/api/contact", hello)

    return run


def _write_content(desk: Desk, kind: ContentType, picture: str, tag: int) -> None:
    """Create an item in each state, and an unpublished one."""
    fields = [f for f in kind.fields if not f.name.startswith("scheduled")]
    made = []
    for number, word in enumerate(WORDS, 1):
        values = {f.name: _sample(f.kind, number, picture) for f in fields}
        made.append(desk.create_public(**{**values, "title": word}, tagIds=[tag]))
    desk.edit(made[0]["id"], title="Staged", description="Not seen yet")
    values = {f.name: _sample(f.kind, 1, picture) for f in fields}
    desk.request(desk.create(**{**values, "title": "Pending"})["id"])
    desk.as_role("admin").delete(made[2]["id"])


def _picture() -> Upload:
    file = BytesIO()
    Image.new("RGB", (700, 300), "navy").save(file, "PNG")
    return Upload("sea.png", file.getvalue(), "image/png")


def _sample(kind: Any, number: int, picture: str) -> Any:
    if isinstance(kind, Nullable):
        return _sample(kind.inner, number, picture)
    if isinstance(kind, ListOf):
        return []
    if isinstance(kind, Choice):
        return kind.options[0]
    samples = {
        Str: f"text {number}",
        Html: f'<p>{WORDS[number - 1]}</p><img src="{picture}" alt="">',
        Url: picture,
        Email: f"person{number}@example.org",
        Int: number,
        Timestamp: f"2026-02-0{number}T10:00:00.000Z",
        Bool: True,
    }
    return next((samples[each] for each in type(kind).__mro__ if each in samples), None)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run on SQLite; if PostgreSQL is tested, on both databases in all combinations."""
    if "route" in metafunc.fixturenames:
        routes = [("sqlite", "sqlite")]
        if os.environ.get(VARIABLE) == "postgresql":
            both = ("sqlite", "postgresql")
            routes = [(a, b) for a in both for b in both if (a, b) != ("sqlite", "sqlite")]
        metafunc.parametrize("route", routes, ids=" to ".join)
