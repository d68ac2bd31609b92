"""The bytes of a file in a column are stored, kept and deleted with their row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    RECEIVED,
    Email,
    Endpoint,
    FileField,
    NotFound,
    Plugin,
    Refused,
    Request,
    Resource,
    ResourceItem,
    Setting,
    Str,
    endpoint,
    field,
    file_column,
    file_download,
    forget_person,
    hookimpl,
    integer,
    plugin_metadata,
    required,
    schema,
)
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing import Client

BYTES = bytes(range(256)) * 400
MAX_FILE = Setting("masthead.cellar.max_file", integer(1, 2**24), str(2**20), "Bytes of a file.")


class Base(DeclarativeBase):
    metadata = plugin_metadata("cellar")


class Paper(ResourceItem, Base):
    __tablename__ = "cellar_paper"

    title: Mapped[str] = field(Str(), required=True)
    file: Mapped[bytes | None] = file_column(nullable=True)


class Letter(ResourceItem, Base):
    __tablename__ = "cellar_letter"

    email: Mapped[str] = field(Email(), required=True)
    file: Mapped[bytes] = file_column()


PAPERS = Resource(name="papers", label="Paper", model=Paper, area="papers", trash=True)
LETTERS = Resource(name="letters", label="Letter", model=Letter, area="papers", person="email")


@endpoint(
    "POST",
    "/api/staff/papers/{id}/file",
    name="papers.store",
    permission="papers.write",
    body=schema({"word": required(Str())}),
    upload=FileField(MAX_FILE),
    returns=RECEIVED,
)
def store(request: Request) -> dict[str, Any]:
    """Store the file of a paper."""
    paper = request.db.get(Paper, request.matchdict["id"])
    if paper is None:
        raise NotFound
    paper.file = request.upload.file.read()
    request.db.flush()
    if request.data["word"] == "no":
        raise Refused("No")
    return {"success": True, "message": "Stored"}


@endpoint(
    "GET",
    "/api/staff/papers/{id}/file",
    name="papers.file",
    permission="papers.read",
    returns="application/octet-stream",
)
def show(request: Request) -> Any:
    """Show the file of a paper."""
    paper = request.db.get(Paper, request.matchdict["id"])
    if paper is None or paper.file is None:
        raise NotFound
    return file_download(paper.file, "application/octet-stream", paper.title)


class Hooks:
    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        return [MAX_FILE]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [PAPERS, LETTERS]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [store, show]


PLUGIN = Plugin(name="cellar", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


def kept_paper(staff: Client, title: str = "Plan") -> str:
    """Create a paper with a file, and return the path of the paper."""
    path = f"/api/staff/papers/{staff.post_json('/api/staff/papers', {'title': title}).json['id']}"
    staff.post(f"{path}/file", {"word": "yes"}, upload_files=[("file", "a", BYTES)])
    return path


def test_a_file_comes_back_as_it_was_stored(staff: Client) -> None:
    answer = staff.get(f"{kept_paper(staff)}/file")

    assert (answer.body, answer.content_type) == (BYTES, "application/octet-stream")
    assert answer.content_length == len(BYTES)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a b.pdf", "attachment; filename=\"a b.pdf\"; filename*=UTF-8''a%20b.pdf"),
        ("Łódź.pdf", "attachment; filename=\"__d_.pdf\"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA.pdf"),
        (r"C:\tmp\a.pdf", "attachment; filename=\"a.pdf\"; filename*=UTF-8''a.pdf"),
        ('../x"\r\nY: 1', "attachment; filename=\"x___Y: 1\"; filename*=UTF-8''x%22%0D%0AY%3A%201"),
    ],
)
def test_the_name_of_a_download_is_quoted(name: str, told: str) -> None:
    response = file_download(b"", "application/pdf", name)

    assert response.headers["Content-Disposition"] == told
    assert response.headers["Content-Type"] == "application/pdf"


def test_a_request_that_fails_leaves_the_file_of_before(staff: Client) -> None:
    path = kept_paper(staff)

    staff.post(f"{path}/file", {"word": "no"}, upload_files=[("file", "b", b"x")], status=400)

    assert staff.get(f"{path}/file").body == BYTES


def test_a_file_lies_in_the_trash_with_its_row_and_comes_back(staff: Client) -> None:
    path = kept_paper(staff)
    staff.delete(path)
    staff.get(f"{path}/file", status=404)

    [trashed] = staff.get("/api/staff/trash").json
    staff.post(f"/api/staff/trash/{trashed['id']}/restore")

    assert staff.get(f"{path}/file").body == BYTES


def test_a_file_is_deleted_for_good_with_its_row(staff: Client, database: Database) -> None:
    staff.delete(kept_paper(staff))

    [trashed] = staff.get("/api/staff/trash").json
    staff.delete(f"/api/staff/trash/{trashed['id']}")

    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(Paper)) == 0


def test_an_erasure_of_a_person_deletes_the_files(database: Database) -> None:
    with database.transaction() as session:
        session.add_all(Letter(email=f"{name}@example.org", file=BYTES) for name in ("ada", "eve"))

    with database.transaction() as session:
        forget_person(session, "ada@example.org")

    with database.session(read_only=True) as session:
        assert [each.email for each in session.scalars(select(Letter))] == ["eve@example.org"]


def test_lists_and_answers_do_not_load_files(staff: Client, database: Database) -> None:
    path = kept_paper(staff)
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(database.reader, "before_cursor_execute", note)
    for address in ("/api/staff/papers", path):
        staff.get(address)
    event.remove(database.reader, "before_cursor_execute", note)

    assert any("cellar_paper" in each for each in statements)
    assert [each for each in statements if "cellar_paper.file" in each] == []
