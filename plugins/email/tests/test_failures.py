"""The classes of replies and reports."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from masthead_email.failures import Failure, classify

REPLIES: dict[str, list[dict[str, str]]] = defaultdict(list)
with Path(__file__).with_name("bounces").joinpath("replies.tsv").open(encoding="utf-8") as file:
    for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
        REPLIES[row["system"]].append(row)


@pytest.mark.parametrize("system", REPLIES)
def test_a_reply_of_each_system_has_the_class_of_its_cause(system: str) -> None:
    rows = REPLIES[system]
    found = [classify(None, row["status"] or None, row["text"]) for row in rows]
    expected = [Failure(row["expected"]) for row in rows]
    assert list(zip(expected, rows, strict=True)) == list(zip(found, rows, strict=True))


@pytest.mark.parametrize(
    "text",
    ["sender address rejected: no such user", "your server is on a blocklist", "SPF fail", "DMARC"],
)
@pytest.mark.parametrize("status", ["5.0.0", "5.1.0", "5.1.1", "5.2.1", "5.5.0", "5.7.1", None])
def test_a_fault_of_the_sender_never_condemns_a_recipient(status: str | None, text: str) -> None:
    assert classify(550, status, f"550 {status or ''} {text}") is Failure.SENDER_REFUSED


@pytest.mark.parametrize("status", ["5.0.0", "5.1.0", "5.2.0", "5.3.0", "5.5.0", "5.7.0", "5.7.1"])
@pytest.mark.parametrize("said", ["550 5.1.1 x", "550 user unknown", "550 no such user"])
def test_a_vague_status_yields_to_a_precise_code_or_text(status: str, said: str) -> None:
    assert classify(None, status, said) is Failure.RECIPIENT_GONE


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (450, "mailbox unavailable", Failure.TRANSIENT),
        (550, "mailbox unavailable", Failure.RECIPIENT_GONE),
        (452, "4.2.2 over quota", Failure.MAILBOX_FULL),
        (421, "try again later", Failure.TRANSIENT),
        (550, "", Failure.UNKNOWN),
        (None, "", Failure.UNKNOWN),
        (None, "\x00\ud800" * 5000, Failure.UNKNOWN),
    ],
)
def test_a_reply_without_a_status_has_the_class_of_its_code_and_text(
    code: int | None, text: str, expected: Failure
) -> None:
    assert classify(code, None, text) is expected
