"""Who arrives how from the exports of other newsletter tools."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, Invalid
from masthead_email.outbox.models import Suppression
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from masthead_email.subscribers.exports.status_columns import compact
from masthead_email.subscribers.exports.tools import STATUS_COLUMNS, TOOLS
from masthead_email.subscribers.models import Subscriber

ACTIVE = "subscribed"


@dataclass(frozen=True)
class Export:
    """A file of a tool: its header, the cells of an address column first, and who arrives how."""

    tool: str
    header: str
    rows: dict[str, str]
    """The cells behind the address, with the kind of unsubscription or ``subscribed``."""
    file_name: str = "export.csv"

    def content(self) -> bytes:
        lines = [f"p{at}@example.org,{cells}" for at, cells in enumerate(self.rows)]
        return "\n".join([self.header, *lines, ""]).encode()


MAILCHIMP = (
    "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,"
    "LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED"
)
_MC = (
    "Ada,Byron,2,,,2026-01-01 10:00:00,192.0.2.1,0.0,0.0,1,2,Europe/Berlin,de,be,"
    "2026-02-01 09:00:00"
)
EXPORTS = [
    Export(
        "Mailchimp",
        f"{MAILCHIMP},LEID,EUID,NOTES,TAGS",
        {f'{_MC},1,a,,"""garden"",""unsubscribed friends"""': ACTIVE},
        "subscribed_email_audience_export_1.csv",
    ),
    Export(
        "Mailchimp",
        f"{MAILCHIMP},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,"
        "UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS",
        {
            f"{_MC},2026-09-01 13:27:42,March,a1,NORMAL,,1,a,,": "unsubscribed",
            f"{_MC},,,,,,2,b,,": "unsubscribed",
        },
    ),
    Export(
        "Mailchimp",
        f"{MAILCHIMP},CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID,NOTES,TAGS",
        {f"{_MC},2026-09-01 13:27:42,March,a1,1,a,,": "bounced"},
    ),
    Export(
        "Mailchimp",
        f"{MAILCHIMP},LEID,EUID,NOTES,TAGS",
        {f"{_MC},1,a,,": "pending"},
        "nonsubscribed_email_audience_export_1.csv",
    ),
    Export(
        "Mailchimp",
        "EMAIL,FNAME,LNAME,STATUS",
        {
            "Ada,Byron,subscribed": ACTIVE,
            "Eve,Moss,unsubscribed": "unsubscribed",
            "Bo,Fern,cleaned": "bounced",
            "Al,Reed,pending": "pending",
            "Zoe,Lee,transactional": "pending",
            "Jo,Hay,archived": "removed",
        },
    ),
    Export(
        "Brevo",
        "EMAIL,CONTACT ID,FIRSTNAME,LASTNAME,SMS,EMAIL_BLACKLISTED,SMS_BLACKLISTED,ADDED_TIME",
        {
            "1,Ada,Byron,,false,true,2026-01-01 10:00:00": ACTIVE,
            "2,Eve,Moss,,true,false,2026-01-01 10:00:00": "unsubscribed",
        },
    ),
    Export(
        "Brevo",
        "EMAIL,FIRSTNAME,DOUBLE_OPT-IN,email_marketing",
        {
            "Ada,Yes,Subscribed": ACTIVE,
            "Eve,No,Subscribed": "pending",
            "Bo,2,Subscribed": "pending",
            "Al,1,Unsubscribed": "unsubscribed",
            "Zoe,1,Blocklisted": "unsubscribed",
            "Jo,1,": "pending",
        },
    ),
    Export(
        "Sendy",
        "Email,Name,Status",
        {
            "Ada,Subscribed": ACTIVE,
            "Eve,Unsubscribed": "unsubscribed",
            "Bo,Unconfirmed": "pending",
            "Al,Bounced": "bounced",
            "Zoe,Soft bounced": "removed",
            "Jo,Complained": "complained",
            "Jim,Marked as spam": "complained",
        },
    ),
    Export(
        "Substack",
        "email,active_subscription,expiry,plan,email_disabled,digest_enabled,created_at",
        {
            "false,,other,false,true,2026-01-01T00:00:00.000Z": ACTIVE,
            "true,,yearly,true,false,2026-01-01T00:00:00.000Z": "unsubscribed",
        },
    ),
    Export(
        "Ghost",
        "email,id,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,"
        "deleted_at,labels,tiers",
        {
            "1,Rosa Moss,,true,false,,2026-01-01T00:00:00.000Z,,,": ACTIVE,
            "2,Otto Fern,,false,false,,2026-01-01T00:00:00.000Z,,,": "unsubscribed",
            "3,Ida Reed,,,false,,2026-01-01T00:00:00.000Z,,,": "pending",
            "4,Bo Lee,,true,true,,2026-01-01T00:00:00.000Z,2026-02-01T00:00:00.000Z,,": "removed",
        },
    ),
    Export(
        "Buttondown",
        "email_address,id,type,creation_date,source,tags,notes,unsubscription_date",
        {
            "1,regular,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "2,premium,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "3,gifted,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "4,trialed,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "5,churning,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "6,paused,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "7,past_due,2026-01-01T00:00:00Z,form,,,": ACTIVE,
            "8,unpaid,2026-01-01T00:00:00Z,form,,,": "pending",
            "9,unactivated,2026-01-01T00:00:00Z,form,,,": "pending",
            "10,unsubscribed,2026-01-01T00:00:00Z,form,,,2026-03-01T00:00:00Z": "unsubscribed",
            "11,spammy,2026-01-01T00:00:00Z,form,,,": "removed",
            "12,removed,2026-01-01T00:00:00Z,form,,,": "removed",
            "13,undeliverable,2026-01-01T00:00:00Z,form,,,": "bounced",
            "14,complained,2026-01-01T00:00:00Z,form,,,": "complained",
        },
    ),
    Export(
        "Action Network",
        "email,first_name,last_name,can2_subscription_status,can2_sms_status",
        {
            "Rosa,Moss,subscribed,unsubscribed": ACTIVE,
            "Otto,Fern,unsubscribed,subscribed": "unsubscribed",
            "Ida,Reed,bouncing,": "bounced",
            "Al,Lee,previous bounce,": "removed",
            "Bo,Hay,spam complaint,": "complained",
            "Jo,Day,previous spam complaint,": "complained",
            "Zoe,May,,": "pending",
        },
    ),
    Export(
        "NationBuilder",
        "email,nationbuilder_id,first_name,last_name,email_opt_in,email1_is_bad,do_not_contact,"
        "unsubscribed_at,is_volunteer,mobile_opt_in,do_not_call",
        {
            "1,Rosa,Moss,true,false,false,,true,false,true": ACTIVE,
            "2,Otto,Fern,false,false,false,,true,true,true": "unsubscribed",
            "3,Ida,Reed,true,true,false,,true,true,true": "bounced",
            "4,Bo,Lee,true,false,true,,true,true,true": "unsubscribed",
            "5,Al,Day,true,false,false,2026-01-01T00:00:00Z,true,true,true": "unsubscribed",
            "6,Jo,May,,false,false,,true,true,true": "pending",
        },
    ),
    Export("NationBuilder", "email,email_opt_in", {"Y": ACTIVE, "N": "unsubscribed"}),
    Export(
        "listmonk",
        "email,uuid,name,attributes,status,created_at,updated_at",
        {
            "1,Ada,{},enabled,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z": ACTIVE,
            "2,Eve,{},disabled,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z": "removed",
            "3,Bo,{},blocklisted,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z": "unsubscribed",
        },
    ),
    Export(
        "listmonk",
        "email,name,status,subscription_status",
        {
            "Ada,enabled,confirmed": ACTIVE,
            "Eve,enabled,unconfirmed": "pending",
            "Bo,enabled,unsubscribed": "unsubscribed",
            "Al,blocklisted,confirmed": "unsubscribed",
        },
    ),
    Export(
        "Mailtrain",
        "EMAIL,cid,status,HASH_EMAIL",
        {
            "1,subscribed,a": ACTIVE,
            "2,unsubscribed,b": "unsubscribed",
            "3,bounced,c": "bounced",
            "4,complained,d": "complained",
        },
    ),
    Export(
        "MailerLite",
        "Subscriber,Name,Status,Subscribed,Signup IP,Date unsubscribed",
        {
            "Ada,Active,2026-01-01 10:00:00,192.0.2.1,": ACTIVE,
            "Eve,Unsubscribed,2026-01-01 10:00:00,,2026-02-01 10:00:00": "unsubscribed",
            "Bo,Unconfirmed,2026-01-01 10:00:00,,": "pending",
            "Al,Bounced,2026-01-01 10:00:00,,": "bounced",
            "Jo,Junk,2026-01-01 10:00:00,,": "complained",
        },
    ),
    Export(
        "Campaign Monitor",
        "Email Address,Name,State,Date joined,Consent to track",
        {
            "Ada,Active,2026-01-01 10:00:00,No": ACTIVE,
            "Eve,Unsubscribed,2026-01-01 10:00:00,Yes": "unsubscribed",
            "Bo,Unconfirmed,2026-01-01 10:00:00,Yes": "pending",
            "Al,Bounced,2026-01-01 10:00:00,Yes": "bounced",
            "Jo,Deleted,2026-01-01 10:00:00,Yes": "removed",
            "Jim,Spam,2026-01-01 10:00:00,Yes": "complained",
            "Zoe,Suppressed,2026-01-01 10:00:00,Yes": "removed",
        },
    ),
    Export(
        "CleverReach",
        "email,registered,activated,deactivated,active,bounced,source",
        {
            "1767261600,1767261700,0,true,0,form": ACTIVE,
            "1767261600,1767261700,1769940000,false,0,form": "unsubscribed",
            "1767261600,0,0,false,0,form": "unsubscribed",
            "1767261600,1767261700,0,true,1769940000,form": "bounced",
            "1767261600,0,0,true,0,form": "pending",
        },
    ),
    Export("CleverReach", "E-Mail,Status", {"aktiv": ACTIVE, "inaktiv": "removed"}),
    Export(
        "Constant Contact",
        "Email address,First name,Last name,Email status,Email permission status,"
        "Confirmed opt-out date,Confirmed opt-out reason,Created At",
        {
            "Ada,Byron,Active,Express,,,2026-01-01 10:00:00": ACTIVE,
            "Eve,Moss,Active,Implied,,,2026-01-01 10:00:00": ACTIVE,
            "Bo,Fern,Unsubscribed,Express,2026-02-01 10:00,Often,2026-01-01 10:00": "unsubscribed",
            "Al,Reed,Awaiting Confirmation,Express,,,2026-01-01 10:00:00": "pending",
            "Jo,Day,No Permissions Set,,,,2026-01-01 10:00:00": "pending",
            "Zoe,Lee,,,,,2026-01-01 10:00:00": "pending",
        },
    ),
    Export(
        "HubSpot",
        "Email,First Name,Last Name,Unsubscribed from all email,Email hard bounce reason,"
        "Marketing contact status,Create Date",
        {
            "Ada,Byron,,,Marketing contact,2026-01-01 10:00": ACTIVE,
            "Eve,Moss,false,,Marketing contact,2026-01-01 10:00": ACTIVE,
            "Bo,Fern,true,,Marketing contact,2026-01-01 10:00": "unsubscribed",
            "Al,Reed,,UNKNOWN_USER,Marketing contact,2026-01-01 10:00": "bounced",
            "Jo,Day,,,Non-marketing contact,2026-01-01 10:00": "pending",
        },
    ),
    Export(
        "HubSpot",
        "Email,Portal Bounce,Portal Unsubscribe,Portal Spam Report,Global Bounce",
        {
            "FALSE,TRUE,FALSE,FALSE": "unsubscribed",
            "TRUE,FALSE,FALSE,FALSE": "bounced",
            "FALSE,FALSE,TRUE,FALSE": "complained",
            "FALSE,FALSE,FALSE,TRUE": "bounced",
        },
    ),
    Export(
        "Kit",
        "email,first_name,status,created_at",
        {
            "Ada,Confirmed,2026-01-01T00:00:00Z": ACTIVE,
            "Eve,Unconfirmed,2026-01-01T00:00:00Z": "pending",
            "Bo,Cancelled,2026-01-01T00:00:00Z": "unsubscribed",
            "Al,Bounced,2026-01-01T00:00:00Z": "bounced",
            "Jo,Complained,2026-01-01T00:00:00Z": "complained",
            "Zoe,Cold,2026-01-01T00:00:00Z": "pending",
        },
    ),
    Export(
        "Kit",
        "email,first_name,state",
        {"Ada,active": ACTIVE, "Eve,inactive": "pending", "Bo,cancelled": "unsubscribed"},
    ),
    Export(
        "Moosend",
        "Email,Name,Member Status",
        {
            "Ada,Subscribed": ACTIVE,
            "Eve,Unsubscribed": "unsubscribed",
            "Bo,Bounced": "bounced",
            "Al,Removed": "removed",
            "Jo,Archived": "removed",
        },
    ),
    Export(
        "rapidmail",
        "email,firstname,lastname,status",
        {
            "Ada,Byron,active": ACTIVE,
            "Eve,Moss,new": "pending",
            "Bo,Fern,bounced": "bounced",
            "Al,Reed,abused": "complained",
            "Jo,Day,deleted": "removed",
        },
    ),
    Export(
        "beehiiv",
        "email,status,created_at,subscription_tier",
        {
            "active,2026-01-01T00:00:00Z,free": ACTIVE,
            "inactive,2026-01-01T00:00:00Z,free": "unsubscribed",
            "pending,2026-01-01T00:00:00Z,free": "pending",
            "validating,2026-01-01T00:00:00Z,free": "pending",
            "invalid,2026-01-01T00:00:00Z,free": "bounced",
        },
    ),
    Export(
        "phpList",
        "email,id,confirmed,blacklisted,bouncecount,htmlemail,disabled",
        {
            "1,1,0,3,1,0": ACTIVE,
            "2,0,0,0,1,0": "pending",
            "3,1,1,0,1,0": "unsubscribed",
            "4,1,0,0,1,1": "removed",
        },
    ),
    Export(
        "by hand",
        "E-Mail,Name,Newsletter,Abgemeldet am",
        {"Ada,ja,": ACTIVE, "Eve,nein,": "unsubscribed", "Bo,ja,2026-02-01": "unsubscribed"},
    ),
]


def arrived(session: Session) -> dict[str, str]:
    """Return the kind of unsubscription, or the status, by address."""
    session.expire_all()
    return {
        each.email: each.unsubscribe_kind or each.status
        for each in session.scalars(select(Subscriber).order_by(Subscriber.id))
    }


def import_text(instance: Instance, text: str, **options: Any) -> Any:
    return import_subscribers(instance, io.BytesIO(text.encode()), ImportOptions(**options))


@pytest.mark.parametrize(
    "export", EXPORTS, ids=[f"{each.tool} {at}" for at, each in enumerate(EXPORTS)]
)
def test_people_arrive_with_the_status_that_they_had(
    instance: Instance, session: Session, export: Export
) -> None:
    report = import_subscribers(
        instance, io.BytesIO(export.content()), ImportOptions(file_name=export.file_name)
    )

    assert report.errors == []
    expected = {f"p{at}@example.org": how for at, how in enumerate(export.rows.values())}
    assert arrived(session) == expected
    suppressed = {each.address: each.kind for each in session.scalars(select(Suppression))}
    kinds = {"bounced": "recipient-gone", "complained": "complaint"}
    assert suppressed == {who: kinds[how] for who, how in expected.items() if how in kinds}


def test_each_tool_has_an_export() -> None:
    assert {each.tool for each in EXPORTS} == {tool.name for tool in TOOLS} - {"Masthead"} | {
        "by hand"
    }
    assert all(tool.source for tool in TOOLS)


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

    assert [str(error)[:20] for error in report.errors] == ["line 3: Signup date:"]
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


def test_rows_that_are_nobody_are_errors(instance: Instance, session: Session) -> None:
    report = import_text(
        instance,
        "Email,First Name,Last Name,Status\nada@example.org,Ada,Byron,Active\n,Eve,Moss,Active\n"
        "Total,,,Active\n",
    )

    assert [each.row for each in report.errors] == [3, 4]
    assert arrived(session) == {"ada@example.org": ACTIVE}
