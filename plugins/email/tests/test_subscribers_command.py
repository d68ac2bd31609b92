"""``masthead subscribers import`` and ``export``."""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead import Instance
from masthead.cli import main
from masthead.testing import Client
from masthead_email.subscribers.models import Subscriber

STAFF = "/api/staff/newsletter-subscribers"
Run = Callable[..., Result]
Write = Callable[[str | bytes], Path]


@pytest.fixture
def run(
    instance: Instance, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Return a function that runs the command on the test's instance."""
    assert instance.database
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_PLUGINS", "email")
    monkeypatch.setenv("MASTHEAD_AUTH_SECRETS", "4d0f2c77b1e94a8c9f63a1d85be27c06")
    return lambda *arguments: CliRunner().invoke(main, ["subscribers", *map(str, arguments)])


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(content: str | bytes) -> Path:
        path = tmp_path / "subscribers.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to_file


def stored(staff: Client) -> list[tuple[Any, ...]]:
    shown = ("email", "name", "status", "source")
    return [tuple(each[name] for name in shown) for each in reversed(staff.get(STAFF).json)]


def test_a_gzip_file_is_imported(staff: Client, run: Run, write: Write) -> None:
    people = b"".join(b"p%d@example.org\n" % number for number in range(500))
    packed = gzip.compress(b"email\n" + people)

    cut_off = run("import", write(packed[:-20]))
    damaged = run("import", write(packed[:12] + b"\xff" * 40 + packed[52:]))

    for refused in (cut_off, damaged):
        assert refused.exit_code == 1
        assert refused.output.startswith("Error: The file is damaged: ")
    assert stored(staff) == []
    assert run("import", write(packed)).stdout == "imported 500, skipped 0, errors 0\n"


def test_subscribers_are_imported_and_found(staff: Client, run: Run, write: Write) -> None:
    path = write(
        "email,name,status,source\n"
        "Ada@Example.org,Ada Byron,,\n"
        "eve@example.org,,unsubscribed,fair\n"
        "\n"
        "zoe@example.org,Zoë,Subscribed,\n"
    )

    done = run("import", path, "--source", "old list")

    assert done.exit_code == 0, done.output
    assert done.stdout == "imported 3, skipped 0, errors 0\n"
    assert stored(staff) == [
        ("ada@example.org", "Ada Byron", "subscribed", "old list"),
        ("eve@example.org", None, "unsubscribed", "fair"),
        ("zoe@example.org", "Zoë", "subscribed", "old list"),
    ]
    assert [each["email"] for each in staff.get(STAFF, {"search": "byr"}).json] == [
        "ada@example.org"
    ]
    [eve] = staff.get(STAFF, {"status": "unsubscribed"}).json
    assert eve["unsubscribedAt"] == eve["createdAt"]


def test_known_subscribers_are_skipped(app: Client, staff: Client, run: Run, write: Write) -> None:
    app.post_json("/api/newsletter/subscribe", {"email": "ada@example.org", "name": "Ada"})
    app.post_json("/api/newsletter/unsubscribe", {"email": "ada@example.org"})
    before = stored(staff)
    path = write("email,name\nADA@example.org,Other\neve@example.org,\nEve@Example.org,Eve\n")

    first, again = run("import", path), run("import", path)

    assert first.stdout == "imported 1, skipped 2, errors 0\n"
    assert again.stdout == "imported 0, skipped 3, errors 0\n"
    assert stored(staff)[:1] == before
    assert len(stored(staff)) == 2


@pytest.mark.parametrize("header", ["Full Name", "DISPLAY NAME", "Name"])
def test_the_column_of_names_has_aliases(
    staff: Client, run: Run, write: Write, header: str
) -> None:
    assert run("import", write(f"{header},Mail\nAda Byron,ada@example.org\n")).exit_code == 0

    assert [each[:2] for each in stored(staff)] == [("ada@example.org", "Ada Byron")]


def test_rows_with_errors_are_reported_by_line(staff: Client, run: Run, write: Write) -> None:
    path = write(
        "E-Mail Address;Vorname;Nachname;status\n"
        "ada@example.org;Ada;Byron;\n"
        "nobody;;;\n"
        ";Ada;;\n"
        "zoe@example.org;Zoe;Ash;;subscribed\n"
    )

    done = run("import", path)

    assert done.exit_code == 1
    assert stored(staff) == [("ada@example.org", "Ada Byron", "subscribed", "import")]
    assert done.stdout == "imported 1, skipped 0, errors 3\n"
    assert done.stderr.splitlines()[-3:] == [
        "line 3: email: Must be an e-mail address",
        "line 4: email: Required",
        "line 5: Has 5 cells where the header has 4",
    ]


def test_who_has_left_another_tool_is_not_subscribed(staff: Client, run: Run, write: Write) -> None:
    path = write(
        "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,"
        "deleted_at,labels\n"
        "1,rosa@example.org,Rosa Moss,,true,false,,2026-01-01T00:00:00.000Z,,\n"
        "2,otto@example.org,Otto Fern,,false,false,,2026-01-01T00:00:00.000Z,,\n"
    )

    done = run("import", path)

    assert done.exit_code == 0, done.output
    assert stored(staff) == [
        ("rosa@example.org", "Rosa Moss", "subscribed", "import"),
        ("otto@example.org", "Otto Fern", "unsubscribed", "import"),
    ]
    assert "subscribed_to_emails → status" in done.stderr
    assert {each["subscribedAt"] for each in staff.get(STAFF).json} == {"2026-01-01T00:00:00.000Z"}


def test_a_column_that_is_not_understood_can_be_ignored(
    staff: Client, run: Run, write: Write
) -> None:
    path = write("email,status,Opted\nrosa@example.org,gone,maybe\n")

    refused = run("import", path)
    half = run("import", path, "--ignore-column", "STATUS")

    for result in (refused, half):
        assert result.exit_code == 1
        assert len(result.output.splitlines()) == 1
        assert "The column Opted is unknown; it has the values maybe" in result.output
    assert "The column status has unknown values: gone" in refused.output
    assert stored(staff) == []
    both = run("import", path, "--ignore-column", "status", "--ignore-column", "Opted")
    assert both.stdout == "imported 1, skipped 0, errors 0\n"
    assert stored(staff)[0][2] == "subscribed"


def test_a_dry_run_only_reports(staff: Client, run: Run, write: Write) -> None:
    path = write("email\nrosa@example.org\n")

    done = run("import", path, "--dry-run")

    assert done.stdout == "imported 1, skipped 0, errors 0\n"
    assert stored(staff) == []


@pytest.mark.parametrize(
    "content", [b"", b"name\nAda\n", b"PK\x03\x04", b'email\n"ada@example.org\n', b"a\nb\n"]
)
def test_a_file_without_a_table_of_addresses_is_refused(
    staff: Client, run: Run, write: Write, content: bytes
) -> None:
    done = run("import", write(content))

    assert done.exit_code == 1
    assert len(done.output.splitlines()) == 1
    assert stored(staff) == []


@pytest.mark.parametrize("source", ["", " ", "s" * 51])
def test_a_source_has_to_be_valid(run: Run, write: Write, source: str) -> None:
    assert run("import", write("email\n"), "--source", source).exit_code == 2


def test_other_encodings_are_read(staff: Client, run: Run, write: Write) -> None:
    text = "email,name\nzoe@example.org,Zoë\n"

    assert run("import", write(text.encode("mac-roman")), "--charset", "mac-roman").exit_code == 0

    assert stored(staff)[0][1] == "Zoë"
    assert run("import", write(text), "--charset", "klingon").exit_code == 1


@pytest.mark.parametrize("option", [[], ["--spreadsheet-safe"]])
def test_an_export_can_be_imported(
    app: Client, staff: Client, instance: Instance, run: Run, tmp_path: Path, option: list[str]
) -> None:
    app.post_json("/api/newsletter/subscribe", {"email": "ada@example.org", "name": '=A "B", C'})
    app.post_json("/api/newsletter/subscribe", {"email": "=bo@example.org", "name": "'+1"})
    app.post_json("/api/newsletter/subscribe", {"email": "eve@example.org", "source": "fair"})
    app.post_json("/api/newsletter/unsubscribe", {"email": "eve@example.org"})
    paused = {"pausedUntil": "2099-05-01T00:00:00.000Z"}
    ada = staff.get(STAFF, {"search": "ada"}).json[0]["id"]
    staff.put_json(f"{STAFF}/{ada}", paused)
    with instance.database.transaction() as session:
        session.get_one(Subscriber, ada).tracking_refused = True
    before, shown = stored(staff), staff.get(STAFF).json[::-1]
    path = tmp_path / "out.csv"

    assert run("export", path, *option).exit_code == 0
    printed = run("export").output
    safe = run("export", "--spreadsheet-safe").output
    for each in shown:
        staff.delete(f"{STAFF}/{each['id']}")
    assert run("import", path).exit_code == 0

    assert stored(staff) == before
    assert staff.get(STAFF, {"paused": "true"}).json[0]["pausedUntil"] == paused["pausedUntil"]
    rows = list(csv.reader(io.StringIO(printed)))
    assert rows[0][:6] == ["email", "name", "status", "source", "createdAt", "unsubscribedAt"]
    assert rows[0][6:10] == ["subscribedAt", "subscribedIp", "confirmedAt", "confirmedIp"]
    assert rows[0][10:14] == ["unsubscribeKind", "unsubscribeReason", "language", "pausedUntil"]
    assert rows[0][14:] == ["trackingRefused", "engagedAt"]
    assert [row[14] for row in rows[1:]] == ["true", "false", "false"]
    refused = [each["trackingRefused"] for each in staff.get(STAFF).json[::-1]]
    assert refused == [True, False, False]
    assert rows[1][:4] == ["ada@example.org", '=A "B", C', "subscribed", "unknown"]
    times = [(each["createdAt"], each["unsubscribedAt"] or "") for each in shown]
    assert [tuple(row[4:6]) for row in rows[1:]] == times
    assert next(csv.DictReader(io.StringIO(safe)))["name"] == '\'=A "B", C'
