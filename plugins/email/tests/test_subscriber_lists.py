"""Importing, exporting and changing many subscribers over HTTP."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.testing import Client

STAFF = "/api/staff/newsletter-subscribers"
WORKBOOK = Path(__file__).with_name("members.xlsx")
Send = Callable[..., Any]


@pytest.fixture
def send(staff: Client) -> Send:
    """Return a function that uploads a file with form fields, a query and a file name."""

    def sent(
        content: str | bytes,
        query: str = "",
        name: str = "list.csv",
        status: int = 200,
        **fields: str,
    ) -> Any:
        octets = content.encode() if isinstance(content, str) else content
        file = [("file", name, octets, "text/csv")]
        path = f"{STAFF}/bulk-import{query}"
        return staff.post(path, fields, upload_files=file, status=status).json

    return sent


def stored(staff: Client) -> dict[str, str]:
    return {each["email"]: each["status"] for each in reversed(staff.get(STAFF).json)}


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_workbook_is_imported(staff: Client, send: Send) -> None:
    assert send(WORKBOOK.read_bytes(), name="members.xlsx")["imported"] == 2

    assert stored(staff) == {"rosa@example.org": "subscribed", "otto@example.org": "unsubscribed"}


def test_an_upload_is_imported_and_explained(staff: Client, send: Send, session: Session) -> None:
    send("email\nrosa@example.org\n", source="fair")

    answer = send(
        "Email,Color,subscribed_to_emails\nrosa@example.org,red,false\neve@example.org,red,true\n"
        "nobody,red,true\n",
        source="old tool",
    )

    assert {k: v for k, v in answer.items() if k != "preview"} == {
        "success": True,
        "imported": 1,
        "updated": 1,
        "skipped": 0,
        "errorCount": 1,
        "errors": [{"row": 4, "error": "email: Must be an e-mail address"}],
        "columns": [
            {"column": "Email", "field": "email"},
            {"column": "subscribed_to_emails", "field": "status"},
        ],
        "ignoredColumns": ["Color"],
        "ignoredRows": [],
    }
    assert answer["preview"][0]["values"]["status"] == "unsubscribed"
    assert stored(staff) == {"rosa@example.org": "unsubscribed", "eve@example.org": "subscribed"}
    assert {each["source"] for each in staff.get(STAFF).json} == {"fair", "old tool"}
    entries = session.scalars(
        select(AuditEntry).where(AuditEntry.action == "newsletter-subscribers.import")
    ).all()
    assert [each.detail for each in entries] == [
        {"imported": 1, "updated": 0},
        {"imported": 1, "updated": 1},
    ]
    assert all(each.actor_id for each in entries)


def test_a_dry_run_stores_nothing(staff: Client, send: Send) -> None:
    content = "email,status\nrosa@example.org,unsubscribed\n"

    assert send(content, "?dryRun=true")["imported"] == 1
    assert stored(staff) == {}
    assert send(content)["imported"] == 1


def test_the_name_of_an_upload_says_the_status_of_all(staff: Client, send: Send) -> None:
    send("email\nrosa@example.org\n", name="unsubscribed_members_export.csv")

    assert stored(staff) == {"rosa@example.org": "unsubscribed"}


def test_columns_that_are_not_understood_can_be_ignored(staff: Client, send: Send) -> None:
    content = "email,Wants mail,Agreed; consent\nrosa@example.org,yes,sure\n"

    refused = send(content, status=400)

    assert "The column Wants mail is unknown; it has the values yes" in refused["error"]
    assert "The column Agreed; consent is unknown" in refused["error"]
    assert stored(staff) == {}
    assert send(content, ignore="Wants mail\r\nAgreed; consent\r\n")["imported"] == 1


def test_a_file_and_a_known_charset_are_required(staff: Client, send: Send) -> None:
    staff.post(f"{STAFF}/bulk-import", {"source": "x"}, status=400)
    assert "charset" in send("email\n", charset="klingon", status=400)["error"]
    assert "source" in send("email\n", source="s" * 51, status=400)["error"]


def test_an_export_is_safe_in_spreadsheets_and_can_be_imported(staff: Client, send: Send) -> None:
    send(
        "email,name,OPTIN_TIME,OPTIN_IP,status\n"
        "rosa@example.org,=1+1,2026-01-01 10:00:00,192.0.2.1,subscribed\n"
        "eve@example.org,Eve,,,unsubscribed\nal@example.org,Al,,,pending\n"
    )
    shown = staff.get(STAFF).json

    exported = staff.get(f"{STAFF}/export")

    assert exported.content_type == "text/csv"
    assert staff.head(f"{STAFF}/export").content_length == len(exported.body)
    assert "subscribers.csv" in exported.headers["Content-Disposition"]
    assert exported.headers["Cache-Control"] == "no-store"
    assert read_csv(exported.text)[0]["name"] == "'=1+1"
    only = read_csv(staff.get(f"{STAFF}/export", {"status": "subscribed"}).text)
    assert [each["email"] for each in only] == ["rosa@example.org"]
    staff.get(f"{STAFF}/export", {"status": "gone"}, status=400)
    for each in shown:
        staff.delete(f"{STAFF}/{each['id']}")
    assert send(exported.text)["imported"] == 3
    again = staff.get(STAFF).json
    unlike = ("id", "createdAt", "updatedAt")
    assert [{k: v for k, v in each.items() if k not in unlike} for each in again] == [
        {k: v for k, v in each.items() if k not in unlike} for each in shown
    ]


def test_many_subscribers_are_unsubscribed(staff: Client, send: Send, session: Session) -> None:
    send("email,status\nrosa@example.org,\neve@example.org,\nal@example.org,unsubscribed\n")
    before = {each["email"]: each for each in staff.get(STAFF).json}
    ids = [each["id"] for each in before.values()]

    answer = staff.post_json(
        f"{STAFF}/bulk", {"operation": "unsubscribe", "ids": [*ids, 999, ids[0]]}
    )

    assert answer.json == {
        "success": True,
        "affected": 3,
        "failed": [{"id": 999, "error": "Not found"}],
    }
    assert set(stored(staff).values()) == {"unsubscribed"}
    after = {each["email"]: each for each in staff.get(STAFF).json}
    assert after["al@example.org"] == before["al@example.org"]
    assert after["rosa@example.org"]["unsubscribedAt"]
    assert after["rosa@example.org"]["unsubscribeKind"] == "removed"
    entry = session.scalars(
        select(AuditEntry).where(AuditEntry.action == "newsletter-subscribers.unsubscribe")
    ).one()
    assert entry.detail == {"affected": 3}


def test_many_subscribers_are_deleted(staff: Client, send: Send) -> None:
    send("email\nrosa@example.org\neve@example.org\nal@example.org\n")
    ids = [each["id"] for each in staff.get(STAFF).json]

    answer = staff.post_json(f"{STAFF}/bulk", {"operation": "delete", "ids": ids[:2]}).json

    assert answer["affected"] == 2
    assert stored(staff) == {"rosa@example.org": "subscribed"}
    assert staff.get(STAFF, {"search": "eve"}).json == []


def test_many_subscribers_get_a_source(staff: Client, send: Send) -> None:
    send("email\nrosa@example.org\neve@example.org\n")
    ids = [each["id"] for each in staff.get(STAFF).json]

    staff.post_json(f"{STAFF}/bulk", {"operation": "set-source", "ids": ids, "source": "fair"})

    assert {each["source"] for each in staff.get(STAFF).json} == {"fair"}
    assert {each["status"] for each in staff.get(STAFF).json} == {"subscribed"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"operation": "subscribe", "ids": []},
        {"operation": "delete", "ids": ["1"]},
        {"operation": "delete", "ids": [0]},
        {"operation": "delete", "ids": list(range(1, 10_002))},
        {"operation": "set-source", "ids": [1]},
        {"operation": "set-language", "ids": [1], "source": "fair"},
        {"operation": "set-language", "ids": [1], "language": "Klingon"},
        {"operation": "set-source", "ids": [1], "source": "s" * 51},
    ],
    ids=str,
)
def test_an_invalid_operation_changes_nothing(staff: Client, send: Send, body: Any) -> None:
    send("email\nrosa@example.org\n")

    staff.post_json(f"{STAFF}/bulk", body, status=400)

    assert stored(staff) == {"rosa@example.org": "subscribed"}


def test_no_ids_affect_nobody(staff: Client) -> None:
    for operation in ("unsubscribe", "delete"):
        answer = staff.post_json(f"{STAFF}/bulk", {"operation": operation, "ids": []}).json
        assert answer == {"success": True, "affected": 0, "failed": []}
