"""The status of the people in the exports of other newsletter tools."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, Invalid
from masthead_email.outbox.models import Suppression
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from masthead_email.subscribers.exports.known_columns import STATUS_COLUMNS
from masthead_email.subscribers.exports.status_columns import compact
from masthead_email.subscribers.exports.tools import TOOLS
from masthead_email.subscribers.models import Subscriber

ACTIVE = "subscribed"


FILES = sorted((Path(__file__).parent / "exports").glob("*.csv"))
"""A file of each tool, with the columns of its documentation. The addresses say who arrives how:
``subscribed-1@example.org``, or the kind of unsubscription, such as ``pending-2@example.org``."""


def arrived(session: Session) -> dict[str, str]:
    """Return the kind of unsubscription, or the status, by address."""
    session.expire_all()
    return {
        each.email: each.unsubscribe_kind or each.status
        for each in session.scalars(select(Subscriber).order_by(Subscriber.id))
    }


def import_text(instance: Instance, text: str, **options: Any) -> Any:
    return import_subscribers(instance, io.BytesIO(text.encode()), ImportOptions(**options))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_people_arrive_with_the_status_that_they_had(
    instance: Instance, session: Session, path: Path
) -> None:
    with path.open("rb") as file:
        report = import_subscribers(instance, file, ImportOptions(file_name=path.name))

    assert report.errors == []
    found = arrived(session)
    assert len(found) == len(path.read_text(encoding="utf-8").splitlines()) - 1
    assert found == {address: address.partition("-")[0] for address in found}
    suppressed = {each.address: each.kind for each in session.scalars(select(Suppression))}
    kinds = {"bounced": "recipient-gone", "complained": "complaint"}
    assert suppressed == {who: kinds[how] for who, how in found.items() if how in kinds}


def test_each_tool_has_a_file_and_a_source() -> None:
    stems = [path.stem for path in FILES]
    for tool in TOOLS:
        name = tool.name.lower().replace(" ", "-")
        assert tool.name == "Masthead" or any(stem.startswith(name) for stem in stems), tool.name
        assert tool.source


TRUE_WORDS = {
    name: {
        word
        for word, meaning in column.compared.items()
        if meaning in (ACTIVE, None) or (column.weak and not word)
    }
    for name, column in STATUS_COLUMNS.items()
}
"""The values that stand for an active subscriber, or for nothing."""


@given(
    column=st.sampled_from(
        sorted({name for tool in TOOLS for each in tool.columns for name in each.names})
    ),
    value=st.one_of(
        st.sampled_from(
            sorted({word for tool in TOOLS for each in tool.columns for word in each.words})
        ),
        st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1),
    ),
)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_only_the_words_of_a_tool_for_active_subscribers_subscribe(
    instance: Instance, column: str, value: str
) -> None:
    known = STATUS_COLUMNS[compact(column)]
    assume(not known.weak or known.knows(value))
    file = io.StringIO()
    csv.writer(file).writerows([["email", column], ["ada@example.org", value]])

    with suppress(Invalid):
        [read] = import_text(instance, file.getvalue(), dry_run=True).preview
        if read.values["status"] == ACTIVE:
            assert compact(value) in TRUE_WORDS[compact(column)]


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Consent given", "sure"),
        ("Wants mail", "yes"),
        ("Zustimmung", "erteilt"),
        ("Désinscrit", "2026-01-01"),
        ("Suscripción", "baja"),
        ("Disiscritto il", "2026-01-01"),
        ("Toestemming", "ja"),
        ("Zgoda", "tak"),
        ("Отписан", "да"),
        ("購読", "停止"),
        ("수신 동의", "N"),
        ("GDPR", "1"),
        ("Opted out of email: News", "true"),
        ("hasOptedOut", "1"),
        ("Group", "unsubscribed"),
        ("Remark", "hard bounced"),
        ("Volunteer", "no"),
        ("", "blacklisted"),
        ("status", "gone"),
        ("Status", "Member"),
        ("can2_subscription_status", "lapsed"),
        ("subscribed_to_emails", "perhaps"),
        ("Newsletter", "monthly"),
        ("State", "sleeping\nbo@example.org,active"),
    ],
)
def test_a_column_about_the_status_that_is_not_understood_stops_the_import(
    instance: Instance, session: Session, header: str, cells: str
) -> None:
    text = f"email,{header}\nada@example.org,{cells}\neve@example.org,\n"

    with pytest.raises(Invalid) as refused:
        import_text(instance, text)

    assert (header or "column 2") in refused.value.message
    assert cells.split(maxsplit=1)[0] in refused.value.message
    assert "\n" not in refused.value.message
    assert arrived(session) == {}
    assert import_text(instance, text, ignore=[header or "column 2"]).errors == []
    assert set(arrived(session).values()) == {ACTIVE}


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Notes", "She said: unsubscribed from the paper"),
        ("State", "CA"),
        ("Type", "Donor"),
        ("SMS status", "unsubscribed"),
        ("Mobile opt-in", "no"),
        ("Mailing address", "Main Street 1"),
        ("Visits", "1"),
        ("Consent given", " "),
        ("Subscriber ID", "7"),
        ("Private", "False"),
        ("City", "Bonn"),
    ],
)
def test_other_columns_are_left_out(
    instance: Instance, session: Session, header: str, cells: str
) -> None:
    report = import_text(instance, f"email,{header}\nada@example.org,{cells}\n")

    assert report.ignored_columns == [header]
    assert arrived(session) == {"ada@example.org": ACTIVE}


def test_all_problems_are_named_at_once_with_some_values(instance: Instance) -> None:
    rows = "".join(f"p{at}@example.org,word {at},maybe\n" for at in range(80))

    with pytest.raises(Invalid) as refused:
        import_text(instance, f"email,status,Consent\n{rows}")

    assert "The column status has unknown values: word 0, word 1, word 10" in refused.value.message
    assert "The column Consent has unknown values: maybe" in refused.value.message
    assert len(refused.value.message) < 400


def test_an_unknown_value_behind_many_spellings_of_known_ones_is_an_error(
    instance: Instance, session: Session
) -> None:
    spellings = [f"subscribed{'!' * at}" for at in range(200)]
    rows = "".join(f"p{at}@example.org,{word}\n" for at, word in enumerate([*spellings, "gone"]))

    report = import_text(instance, f"email,status\n{rows}")

    assert report.errors == [(202, "status: Is not known")]
    assert set(arrived(session).values()) == {ACTIVE}


@pytest.mark.parametrize("ignore", ["Emial", "email"])
def test_a_column_to_ignore_has_to_exist_and_be_dispensable(
    instance: Instance, ignore: str
) -> None:
    with pytest.raises(Invalid, match=r"^ignore: "):
        import_text(instance, "email,name\nada@example.org,Ada\n", ignore=[ignore])


@pytest.mark.parametrize(
    ("file_name", "how"),
    [
        ("members.csv", ACTIVE),
        ("subscribed_members_export_1.csv", ACTIVE),
        ("unsubscribed_members_export_1.csv", "unsubscribed"),
        ("nonsubscribed_members_export_1.csv", "pending"),
        ("cleaned_members_export_1.csv", "bounced"),
        ("All Unsubscribers (May).csv", "unsubscribed"),
        ("spam-complaints.csv", "complained"),
        ("Suppressed.csv", "removed"),
        ("opt-outs.csv", "unsubscribed"),
    ],
)
def test_the_name_of_a_file_says_the_status_of_all(
    instance: Instance, session: Session, file_name: str, how: str
) -> None:
    report = import_text(instance, "email\nada@example.org\n", file_name=file_name)

    assert arrived(session) == {"ada@example.org": how}
    assert (how == ACTIVE) == (len(report.columns) == 1)


def test_facts_about_the_consent_are_kept(instance: Instance, session: Session) -> None:
    import_text(
        instance,
        "Email Address,Source,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,UNSUB_TIME,UNSUB_REASON\n"
        "ada@example.org,fair,2026-01-01 10:00:00,192.0.2.01,2026-01-02T10:00:00+02:00,2001:DB8::1,"
        "1767434400,too many mails\n",
    )

    ada = session.scalars(select(Subscriber)).one()
    assert (ada.source, ada.subscribed_ip, ada.confirmed_ip) == ("fair", None, "2001:db8::1")
    times = (ada.subscribed_at, ada.confirmed_at, ada.unsubscribed_at)
    assert [each.isoformat() if each else "" for each in times] == [
        "2026-01-01T10:00:00+00:00",
        "2026-01-02T08:00:00+00:00",
        "2026-01-03T10:00:00+00:00",
    ]
    assert ada.unsubscribe_reason == "too many mails"


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (("01/02/2026", "01/31/2026"), "2026-01-02"),
        (("01.02.2026 10:00", "31.01.2026 9:15"), "2026-02-01"),
        (("1/2/2026 9:15 PM", "1/31/2026 9:15 AM"), "2026-01-02"),
        (("0", "2026-01-31"), ""),
        (("0000-00-00 00:00:00", "2026-01-31"), ""),
    ],
)
def test_the_dates_of_a_column_show_their_order(
    instance: Instance, session: Session, dates: tuple[str, str], expected: str
) -> None:
    rows = "".join(f"p{at}@example.org,{date}\n" for at, date in enumerate(dates))

    import_text(instance, f"email,Signup date\n{rows}")

    first = session.scalars(select(Subscriber).order_by(Subscriber.id)).first()
    assert first is not None
    assert (str(first.subscribed_at.date()) if first.subscribed_at else "") == expected


def test_times_that_cannot_be_read_stop_the_import_or_are_errors_by_line(
    instance: Instance, session: Session
) -> None:
    text = "email,Signup date\nada@example.org,{}\neve@example.org,05/06/2026\n"

    with pytest.raises(Invalid, match="Signup date: '05/06/2026' is ambiguous"):
        import_text(instance, text.format("05/06/2026"))
    report = import_text(instance, text.format("2026-01-01"))

    assert [(row, error[:12]) for row, error in report.errors] == [(3, "Signup date:")]
    assert list(arrived(session)) == ["ada@example.org"]


def test_an_import_unsubscribes_but_never_subscribes(instance: Instance, session: Session) -> None:
    people = {"ada": "subscribed", "eve": "unsubscribed", "bo": "subscribed", "al": "subscribed"}
    rows = "".join(f"{name}@example.org,{status}\n" for name, status in people.items())
    import_text(instance, f"email,status\n{rows}")
    text = (
        "email,status\nADA@example.org,unsubscribed\neve@example.org,subscribed\n"
        "bo@example.org,pending\nal@example.org,complained\nnew@example.org,subscribed\n"
        "new@example.org,bounced\nada@example.org,unsubscribed\n"
    )

    planned, done, again = (
        import_text(instance, text, dry_run=dry) for dry in (True, False, False)
    )

    for report in (planned, done):
        assert str(report) == "imported 1, updated 3, skipped 3, errors 0"
    assert str(again) == "imported 0, skipped 7, errors 0"
    assert arrived(session) == {
        "ada@example.org": "unsubscribed",
        "eve@example.org": "unsubscribed",
        "bo@example.org": "subscribed",
        "al@example.org": "complained",
        "new@example.org": "bounced",
    }
    suppressed = {each.address: each.kind for each in session.scalars(select(Suppression))}
    assert suppressed == {"al@example.org": "complaint", "new@example.org": "recipient-gone"}
    import_text(instance, "email,status\nnew@example.org,complained\nal@example.org,bounced\n")
    session.rollback()
    assert set(session.scalars(select(Suppression.kind))) == {"complaint"}


def test_rows_that_are_nobody_are_errors(instance: Instance, session: Session) -> None:
    report = import_text(
        instance,
        "Email,First Name,Last Name,Status\nada@example.org,Ada,Byron,Active\n,Eve,Moss,Active\n"
        "Total,,,Active\n",
    )

    assert [each.row for each in report.errors] == [3, 4]
    assert arrived(session) == {"ada@example.org": ACTIVE}
