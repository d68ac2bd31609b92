"""Mails about notifications: their languages and templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance, Notice, holders, notify, texts_of
from masthead.testing import Client, Clock
from masthead_email.delivery.pausing import pause_messages, tell_staff
from masthead_email.outbox.models import NOTICE, Delivery, Message
from masthead_email.scheduling import notify_staff


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.email.staff": "desk@example.org",
        "masthead.email.approval_mails": "all",
        "masthead.language": "de-AT",
        "masthead.timezone": "Europe/Vienna",
    }


@pytest.fixture
def sent(relayed: Any, deliver: Callable[[], None]) -> Callable[[], dict[str, EmailMessage]]:
    """Return a function that runs the worker and returns each mail by its recipient."""

    def read() -> dict[str, EmailMessage]:
        deliver()
        return {
            taken.recipient.decode().partition("@")[0]: message_from_bytes(
                taken.content, EmailMessage, policy=default
            )
            for taken in relayed.taken
        }

    return read


def test_approvers_are_mailed_in_their_language_by_one_message_per_language(
    staff: Client, make_newsletter: Any, make_user: Any, sent: Any, session: Session
) -> None:
    for name, language in {
        "ada": None,
        "ben": "de",
        "cy": "fr",
        "dee": "ja",
        "eve": "ar",
        "fay": "es-MX",
        "gil": "en",
        "hal": "it",
        "ian": "fr-CA",
    }.items():
        make_user(name, role="admin", email=f"{name}@example.org", language=language)
    made = make_newsletter(approved=False, title='50 % {{off}} %(x)s "<b>"')
    item = {"contentType": "newsletters", "contentId": made["id"]}

    staff.post_json("/api/staff/approval/request", item)

    mails = sent()
    subjects = {name: mail["Subject"] for name, mail in mails.items()}
    german = "Freigabe erbeten: Newsletter"
    french = "Demande d’approbation : Lettre d’information"
    assert {name: subject for name, subject in subjects.items() if len(name) < 4} == {
        "ada": german,
        "ben": german,
        "cy": french,
        "dee": "承認依頼：ニュースレター",
        "eve": "طلب موافقة: نشرة بريدية",
        "fay": "Solicitud de aprobación: Boletín",
        "gil": "Approval Request: Newsletter",
        "hal": german,
        "ian": french,
    }
    assert all('50 % {{off}} %(x)s "<b>"' in mail.get_content() for mail in mails.values())
    count = select(func.count()).select_from(Message).where(Message.kind == NOTICE)
    assert session.scalar(count) == 6


def test_an_approved_and_a_rejected_item_are_mailed_in_the_requester_s_language(
    app: Client, staff: Client, make_user: Any, make_newsletter: Any, approver: Client, sent: Any
) -> None:
    ada = app.as_user(make_user("ada", role="editor", email="ada@example.org", language="es"))
    item = {"contentType": "newsletters", "contentId": make_newsletter(approved=False)["id"]}
    texts = []
    for move, reason in (("approve", {}), ("reject", {"reason": "Too {{long}}\nby %(x)s"})):
        ada.post_json("/api/staff/approval/request", item)
        approver.post_json(f"/api/staff/approval/{move}", item | reason)
        mail = sent()["ada"]
        texts.append((mail["Subject"], mail.get_content()))
        if move == "approve":
            ada.put_json(f"/api/staff/newsletters/{item['contentId']}", {"title": "June"})

    assert texts[0][0] == "Aprobación concedida: Boletín"
    assert texts[1][0] == "Aprobación denegada: Boletín"
    assert "ha rechazado «" in texts[1][1]
    assert texts[1][1].replace("\r\n", "\n").rstrip().endswith("Too {{long}}\nby %(x)s")
    ada.post_json("/api/staff/approval/request", item)
    staff.put_json(f"/api/staff/newsletters/{item['contentId']}", {"title": "{{July}}"})
    mail = sent()["ada"]
    assert mail["Subject"] == "Solicitud devuelta: Boletín"
    assert "some-editor ha cambiado «{{July}}»; vuelve a ser un borrador" in mail.get_content()


def test_staff_are_mailed_in_the_language_and_zone_of_the_organisation(
    instance: Instance, clock: Clock, sent: Any
) -> None:
    with instance.database.transaction() as session:
        notify_staff(session, "May {{x}}", clock.now() - timedelta(days=1), 7, late=True)

    mail = sent()["desk"]

    assert mail["Subject"] == "Newsletter nicht versendet"
    assert mail.get_content().startswith("May {{x}} sollte am 28. Februar 2026")
    assert "10:30:00 MEZ" in mail.get_content()


@pytest.mark.parametrize("language", ["ar", "de", "en", "es", "fr", "ja"])
def test_every_template_of_a_notice_is_rendered_in_every_language(
    instance: Instance, language: str
) -> None:
    texts = texts_of(instance)
    values: dict[str, Any] = {
        "mail": "M {{1}}",
        "reason": "550 5% %(x)s",
        "causes": [("policy", 3)],
        "sent": 1,
        "failed": 2,
        "suppressed": 3,
        "copied": True,
    }
    for name in ("paused", "relay", "copy", "failed-deliveries"):
        found = texts.render_mail(f"email/mails/{name}.txt", language, **values)
        english = texts.render_mail(f"email/mails/{name}.txt", "en", **values)
        assert (found == english) == (language == "en")
        assert "\n\n\n\n" not in found.text
        assert ("550 5% %(x)s" in found.text) == (name in ("paused", "relay"))


def test_a_mail_about_a_paused_newsletter_has_the_words_of_the_relay(
    instance: Instance, queue: Any, sent: Any
) -> None:
    message = queue(1)
    with instance.database.transaction() as session:
        pause_messages(session, [message], "550 5% {{no}}")
        tell_staff(session, "421 later")
        notify(session, holders("email.write"), Notice("Plain {{title}}", "Text % {{x}}"))

    sent()
    with instance.database.session() as session:
        found = [values or {} for values in session.scalars(select(Delivery.values))]
    subjects = {values.get("title"): values.get("message") for values in found}
    assert subjects["Plain {{title}}"] == "Text % {{x}}\n"
    assert "Der Mailserver meldet: 421 later" in subjects["Der Mailserver lehnt Mails ab"]
    assert "lehnt sie ab: 550 5% {{no}}" in subjects["Versand angehalten: News"]
