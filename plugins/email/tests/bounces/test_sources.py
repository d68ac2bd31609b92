"""The sources of bounces, and what the command does with each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead_email.bounces.parts import MAX_SIZE
from masthead_email.outbox.models import Delivery, Suppression

ADDRESSES = ("ada@example.net", "eve@example.net", "kim@example.net")
FROM_LINES = (
    "From mailer-daemon Sat Nov 28 10:00:01 2026",
    "From  MAILER-DAEMON  Sat Nov  8 10:00:01 2026",
    "From - Sat Nov 28 10:00:01 2026",
)


@pytest.fixture
def reports(send: Callable[..., list[str]], report: Callable[..., str]) -> list[str]:
    """Reports that the addresses don't exist."""
    return [report(path) for path in send(*ADDRESSES)]


@pytest.fixture
def suppressed(session: Session) -> Callable[[], list[str]]:
    """Return a function that returns the suppressed addresses."""

    def read() -> list[str]:
        session.rollback()
        return sorted(session.scalars(select(Suppression.address)))

    return read


def _mbox(messages: list[str]) -> str:
    lines = zip(FROM_LINES, messages, strict=True)
    return "".join(f"{line}\n{message}\n" for line, message in lines)


def test_all_messages_of_an_mbox_are_read(
    reports: list[str], bounces: Any, suppressed: Any, tmp_path: Path
) -> None:
    (tmp_path / "mbox").write_text(_mbox(reports))
    dry = bounces(str(tmp_path / "mbox"), "--dry-run")
    assert (dry.exit_code, suppressed()) == (0, [])

    done = bounces(str(tmp_path / "mbox"))

    assert (done.exit_code, done.output) == (0, dry.output)
    assert [line.partition(" is suppressed: ")[0] for line in done.output.splitlines()] == [
        *ADDRESSES
    ]
    assert suppressed() == [*ADDRESSES]


def test_an_mbox_is_read_from_standard_input(
    reports: list[str], bounces: Any, suppressed: Any
) -> None:
    assert bounces(mail=_mbox(reports)).exit_code == 0
    assert suppressed() == [*ADDRESSES]


def test_each_file_of_a_folder_is_read(
    reports: list[str], bounces: Any, suppressed: Any, tmp_path: Path
) -> None:
    for number, each in enumerate(reports):
        (tmp_path / f"{number}.eml").write_bytes(each.replace("\n", "\r\n").encode())
    assert bounces(str(tmp_path)).exit_code == 0
    assert suppressed() == [*ADDRESSES]


def test_a_maildir_is_read_and_a_dry_run_moves_nothing(
    reports: list[str], bounces: Any, suppressed: Any, tmp_path: Path
) -> None:
    for folder, name, each in zip(("new", "new", "cur"), ("1", "2", "3:2,S"), reports, strict=True):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(each)
    assert bounces(str(tmp_path), "--dry-run").exit_code == 0
    assert len(list((tmp_path / "new").iterdir())) == 2

    assert bounces(str(tmp_path)).exit_code == 0

    assert suppressed() == [*ADDRESSES]
    assert sorted(each.name for each in (tmp_path / "cur").iterdir()) == ["1:2,S", "2:2,S", "3:2,S"]


def test_a_message_that_is_too_large_is_named_and_the_others_are_read(
    reports: list[str], bounces: Any, suppressed: Any, tmp_path: Path
) -> None:
    large = reports[1] + "x" * MAX_SIZE + "\n"
    (tmp_path / "mbox").write_text(_mbox([reports[0], large, reports[2]]))
    done = bounces(str(tmp_path / "mbox"))
    assert done.exit_code == 1
    assert f"mbox, message 2 isn't read: more than {MAX_SIZE} bytes" in done.output
    assert suppressed() == [ADDRESSES[0], ADDRESSES[2]]
    assert bounces(mail=large).exit_code == 65


def test_a_mail_server_keeps_the_message_if_the_database_is_missing(
    bounces: Any, tmp_path: Path
) -> None:
    missing = {"masthead.database.url": f"sqlite:///{tmp_path}/missing/masthead.db"}
    done = bounces(mail="To: a@b\n\nx", **missing)
    assert done.exit_code == 75
    assert done.output.startswith("Error: ")
    assert len(done.output.splitlines()) == 1
    (tmp_path / "1.eml").write_text("x")
    assert bounces(str(tmp_path / "1.eml"), **missing).exit_code == 1


def test_a_fault_of_the_sender_fails_the_delivery_only(
    send: Any, report: Any, bounces: Any, suppressed: Any, session: Session
) -> None:
    (path,) = send("ada@example.net")
    said = "550 5.1.8 <news@example.org>: the domain of the sender has no address"
    done = bounces(mail=report(path, "5.1.8", said))
    assert done.output == f"ada@example.net failed (sender-refused): 5.1.8 smtp; {said}\n"
    assert suppressed() == []
    delivery = session.scalars(select(Delivery)).one()
    assert (delivery.state, delivery.failure) == ("failed", "sender-refused")


def test_a_forged_return_path_is_ignored(send: Any, report: Any, bounces: Any) -> None:
    (path,) = send("ada@example.net")
    forged = path[: path.index("-")] + "-0123456789abcdef@example.org"
    assert bounces(mail=report(forged)).output == (
        "ignored: it names no delivery of this instance\n"
    )
