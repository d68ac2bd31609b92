"""Reading bounces and complaints of many systems."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path
from random import Random

import pytest

from masthead_email.bounces.parts import MAX_SIZE
from masthead_email.bounces.reading import Kind, read_reports
from masthead_email.bounces.sources import read_path
from masthead_email.failures import Failure

RETURN_PATH = "bounces+12-0123456789abcdef@example.org"
HEADER = (
    f"From: mailer-daemon@mx.example.net\nTo: {RETURN_PATH}\nSubject: failure notice\n".encode()
)


def _corpus() -> list[object]:
    """Return the reports of ``reports.mbox``, whose headers name system and expected class."""
    found = []
    for incoming in read_path(Path(__file__).with_name("reports.mbox")):
        assert incoming.octets is not None
        header = message_from_bytes(incoming.octets)
        found.append(
            pytest.param(
                header["X-Test-Expected"], incoming.octets, id=str(header["X-Test-System"])
            )
        )
    return found


@pytest.mark.parametrize(("expected", "octets"), _corpus())
def test_a_report_of_each_system_has_its_class(expected: str, octets: bytes) -> None:
    (report,) = read_reports(octets)
    assert (report.failure or report.kind) == expected
    assert read_reports(octets.replace(b"\n", b"\r\n")) == [report]
    if report.kind is not Kind.NOTHING:
        assert "+12-0123456789abcdef@" in {path for group in report.return_paths for path in group}


def test_a_complaint_carries_the_unsubscribe_link() -> None:
    complaints = [
        read_reports(each.octets or b"")[0]
        for each in read_path(Path(__file__).with_name("reports.mbox"))
    ]
    links = {each.links for each in complaints if each.kind is Kind.COMPLAINT}
    assert ("7-AAAAAAAAAAAAAAAAAAAAAAAA",) in links


@pytest.mark.parametrize(
    "octets",
    [
        pytest.param(
            HEADER
            + b"".join(
                b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n)
                for n in range(1000)
            ),
            id="nested parts",
        ),
        pytest.param(HEADER + b"Content-Type: message/rfc822\n\n" * 2000, id="nested messages"),
        pytest.param(HEADER + b"\n" + b"x" * MAX_SIZE, id="one line of 10 MB"),
        pytest.param(
            HEADER
            + b'Content-Type: multipart/mixed; boundary="b"\n\n'
            + b"--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n" * 1000,
            id="thousands of parts",
        ),
        pytest.param(
            HEADER + b"Content-Type: text/plain; charset=klingon\n\nfailed", id="wrong charset"
        ),
        pytest.param(
            HEADER + b"Content-Type: text/plain; charset*=utf-8''%ff\n\nfailed \xff", id="RFC 2231"
        ),
        pytest.param(HEADER + b"\n\x00failed\x00\xff\xfe", id="NUL"),
        pytest.param(
            HEADER + b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n%%%",
            id="wrong encoding",
        ),
    ],
)
def test_a_hostile_bounce_is_at_least_a_failure(octets: bytes) -> None:
    (report,) = read_reports(octets)
    assert (report.kind, report.failure) == (Kind.FAILURE, Failure.UNKNOWN)
    assert "\x00" not in report.text


@pytest.mark.parametrize("octets", [b"", b"\n\n", b"\xff\xfe\x00", b"\x00" * 1000, b"To: a@b\n\nx"])
def test_other_data_is_no_report(octets: bytes) -> None:
    (report,) = read_reports(octets)
    assert report.kind is Kind.NOTHING


def test_a_damaged_report_is_read_without_an_error() -> None:
    random = Random(7)
    pieces = (b"\n", b"\n\n", b"\x00", b"\xff", b"--", b": ", b"=?x?q?=ff?=", b";charset*=x''%ff")
    for each in read_path(Path(__file__).with_name("reports.mbox")):
        damaged = bytearray(each.octets or b"")
        for _ in range(6):
            place = random.randrange(len(damaged))
            damaged[place : place + random.randrange(20)] = random.choice(pieces)
        assert read_reports(bytes(damaged))


def test_several_bounces_in_a_forward_are_several_reports() -> None:
    attached = b"".join(
        b"--f\nContent-Type: message/rfc822\n\n" + HEADER + b"\n550 5.1.1 no such user\n\n"
        for _ in range(3)
    )
    forward = b'From: a@b\nSubject: Fwd\nContent-Type: multipart/digest; boundary="f"\n\n'
    reports = read_reports(forward + attached + b"--f--\n")
    assert [each.failure for each in reports] == [Failure.RECIPIENT_GONE] * 3
