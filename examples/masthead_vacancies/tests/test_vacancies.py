"""Vacancies fulfil the contract of content types, close, and take applications."""

from typing import Any

import pytest

from masthead.testing import Client, Clock, ContentTypeContract, Desk
from masthead_vacancies.plugin import VACANCIES

CLOSES = "2026-03-05T00:00:00.000Z"
FORM = {"name": "Ada", "email": "ada@example.org"}
PDF = [("file", "../cv.pdf", b"%PDF-1.7 text")]


class TestVacancies(ContentTypeContract):
    content_type = VACANCIES


@pytest.fixture
def vacancy(clock: Clock, app: Client) -> Any:  # noqa: ARG001 - it is created at a known time
    """Return a vacancy that closes soon."""
    desk = Desk(app, "vacancies").as_role("editor")
    return desk.create_public(title="Gardener", place="Łódź", closesAt=CLOSES)


def test_a_vacancy_that_closes_leaves_the_list_and_can_be_read(
    clock: Clock, app: Client, vacancy: Any
) -> None:
    place = {"place": "Łódź"}
    assert [each["id"] for each in app.get("/api/vacancies", place).json] == [vacancy["id"]]
    clock.move_to(CLOSES)

    assert app.get("/api/vacancies", place).json == app.get("/api/vacancies").json == []
    assert app.get(f"/api/vacancies/{vacancy['slug']}").json["expired"] is True
    refused = app.post(path_of(vacancy), FORM, upload_files=PDF, status=400)
    assert refused.json["error"] == "This vacancy isn't open"


def test_staff_get_the_application_and_its_file(app: Client, vacancy: Any) -> None:
    app.post(path_of(vacancy), FORM, upload_files=PDF)

    admin = app.as_role("admin")
    [application] = admin.get("/api/staff/applications").json
    file = admin.get(f"/api/staff/applications/{application['id']}/file")

    assert application == application | FORM | {"vacancyId": vacancy["id"]}
    assert (file.body, file.content_type) == (PDF[0][2], "application/pdf")
    assert "Gardener" in admin.get("/api/staff/notifications").json[0]["message"]
    app.get(f"/api/staff/applications/{application['id']}/file", status=401)
    admin.get("/api/staff/applications/999/file", status=404)


@pytest.mark.parametrize(
    ("form", "file", "named"),
    [
        (FORM, b"MZ", "PDF"),
        ({**FORM, "email": "nobody"}, PDF[0][2], "email"),
        ({**FORM, "website": "spam"}, PDF[0][2], "website"),
        (FORM, None, "No file"),
    ],
)
def test_a_wrong_application_is_refused(
    app: Client, vacancy: Any, form: Any, file: bytes | None, named: str
) -> None:
    files = [("file", "cv.pdf", file)] if file is not None else [("other", "a.pdf", b"")]

    refused = app.post(path_of(vacancy), form, upload_files=files, status=400)

    assert named in refused.json["error"]
    assert app.as_role("admin").get("/api/staff/applications").json == []


def test_a_draft_takes_no_applications(app: Client) -> None:
    draft = Desk(app, "vacancies").as_role("editor").create(title="Secret")

    for item in (draft, {"id": 999}):
        refused = app.post(path_of(item), FORM, upload_files=PDF, status=400)
        assert refused.json["error"] == "This vacancy isn't open"


def path_of(vacancy: Any) -> str:
    return f"/api/vacancies/{vacancy['id']}/apply"
