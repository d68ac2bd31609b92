"""A copy of an instance sends no mail until it is resumed, because the original may send it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import Instance, Mail, Notice, holders, instance_of, notify, utcnow
from masthead.cli import main
from masthead.instance import DATABASE_URL
from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import create_database, database_url, drop_database
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead.worker.models import JobState
from masthead.worker.worker import YIELD_DELAY, Worker
from masthead_crm.models import Contact, FollowUp, Rule, Stage
from masthead_email.composed.models import ComposedEmail
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import KINDS, PAUSED, Message
from masthead_email.subscribers.models import Subscriber
from masthead_email.templates.models import Template

Open = Callable[[str, Path], Instance]
HOUR = timedelta(hours=1)


def schedule_newsletter(session: Session) -> None:
    """Schedule a newsletter for a time that has passed."""
    newsletter = Newsletter(title="May", subject="May", html_content="<p>May</p>")
    newsletter.approval_status, newsletter.status = "approved", "scheduled"
    newsletter.scheduled_send_at = utcnow() - HOUR
    session.add_all([newsletter, Subscriber(email="bo@example.org")])


def schedule_email(session: Session) -> None:
    """Schedule a composed e-mail for a time that has passed."""
    email = ComposedEmail(
        subject="Hi", html_content="<p>Hi</p>", recipient_emails=["bo@example.org"]
    )
    email.status, email.scheduled_send_at = "scheduled", utcnow() - HOUR
    session.add(email)


def start_follow_up(session: Session) -> None:
    """Create a follow-up whose mail is due."""
    stage = Stage(name="Met", name_key="met")
    template = Template(name="Call", subject="Call", html_content="<p>")
    contact = Contact(name="Bo", email="bo@example.org")
    session.add_all([stage, template, contact])
    session.flush()
    rule = Rule(name="Call", trigger_stage_id=stage.id, days_after=0, catchup_type="call")
    rule.email_template_id = template.id
    session.add(rule)
    session.flush()
    due = utcnow() - HOUR
    session.add(FollowUp(contact_id=contact.id, rule_id=rule.id, reached_at=due, due_at=due))


def notify_staff(session: Session) -> None:
    """Notify staff, who get an e-mail too."""
    notify(session, holders("email.write"), Notice(title="Hello", message="A message arrived"))


def mail_account(session: Session) -> None:
    """Queue account mail."""
    mail = Mail(to="bo@example.org", kind="account", subject="Reset", text="Reset it")
    assert instance_of(session).hooks.masthead_deliver_mail(session=session, mail=mail)


MAKERS: Mapping[str, Callable[[Session], None]] = {
    "newsletter": schedule_newsletter,
    "composed": schedule_email,
    "follow-up": start_follow_up,
    "notice": notify_staff,
    "account": mail_account,
}


def by_export(original: Instance, target: Instance, folder: Path, _open_at: Open) -> Instance:
    """Export an instance, and import it elsewhere."""
    export_instance(original, folder / "out", report=lambda *_: None)
    assert import_instance(target, folder / "out", report=lambda *_: None)
    return target


def by_database(original: Instance, _target: Instance, folder: Path, open_at: Open) -> Instance:
    """Copy the database, and start it with an empty data folder."""
    (folder / "copy").mkdir()
    return open_at(copy_database(original, folder / "copy"), folder / "copy")


def by_folder(original: Instance, _target: Instance, folder: Path, open_at: Open) -> Instance:
    """Copy the database and all files."""
    shutil.copytree(original.data, folder / "copy")
    return open_at(copy_database(original, folder / "copy"), folder / "copy")


def copy_database(original: Instance, folder: Path) -> str:
    """Return the URL of a copy of the database of an instance, as a backup or a dump makes it."""
    url = original.database.url
    original.database.dispose()
    if original.database.dialect == "sqlite":
        shutil.copyfile(str(url.database), folder / "masthead.db")
        return f"sqlite:///{folder / 'masthead.db'}"
    base = url.set(drivername="postgresql").render_as_string(hide_password=False)
    name = f"copy_of_{url.database}"
    server = database_url(base, "postgres")
    drop_database(server, name)
    return create_database(server, name, url.database)


def work(instance: Instance) -> list[Path]:
    """Run the worker twice, and return the files of all mails that it has sent."""
    for _ in range(2):
        with instance.database.transaction() as session:
            for job in session.scalars(select(JobState)):
                job.due_at = utcnow() - HOUR
        worker = Worker(instance)
        while worker.turn() == YIELD_DELAY:
            pass
    with instance.database.session(read_only=True) as session:
        assert session.scalars(select(JobState.last_error).where(JobState.failures > 0)).all() == []
    return sorted((instance.data / "mail").glob("*.eml"))


def mail(instance: Instance, *arguments: str) -> str:
    """Run a command of ``masthead mail``, and return its output."""
    url = instance.database.url.render_as_string(hide_password=False)
    variables = {
        "MASTHEAD_DATA": str(instance.data),
        DATABASE_URL.name.upper().replace(".", "_"): url,
        "MASTHEAD_EMAIL_STAFF": "office@example.org",
    }
    result = CliRunner().invoke(main, ["mail", *arguments], env=variables)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def kind() -> str:
    return os.environ.get(VARIABLE) or "sqlite"


def test_every_kind_of_mail_is_tested() -> None:
    assert MAKERS.keys() == set(KINDS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("arrive", [by_export, by_database, by_folder])
@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_sends_nothing_until_it_is_resumed(
    name: str,
    arrive: Callable[..., Instance],
    kind: str,
    make_instance: Callable[[str], Instance],
    open_at: Open,
    tmp_path: Path,
) -> None:
    original = make_instance(kind)
    assert work(original) == []
    with original.database.transaction() as session:
        MAKERS[name](session)
    copy = arrive(original, make_instance(kind), tmp_path, open_at)
    if arrive is by_export and name in ("notice", "account"):
        # Queued mail isn't exported; a new one waits, too.
        with copy.database.transaction() as session:
            MAKERS[name](session)

    assert work(copy) == []
    assert len(work(original)) == 1
    assert name in mail(copy, "pending")
    assert mail(copy, "resume").startswith("Sending is resumed")
    assert len(work(copy)) >= 1
    assert mail(copy, "resume").startswith("Sending was not paused")


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_what_the_original_has_sent_can_be_cancelled(
    name: str,
    kind: str,
    make_instance: Callable[[str], Instance],
    open_at: Open,
    tmp_path: Path,
) -> None:
    original = make_instance(kind)
    work(original)
    with original.database.transaction() as session:
        MAKERS[name](session)
    copy = by_database(original, original, tmp_path, open_at)
    work(copy)

    assert "Cancelled mail: " in mail(copy, "resume", "--cancel")
    assert work(copy) == []
    assert mail(copy, "pending") == ""
    with copy.database.transaction() as session:
        notify_staff(session)
    assert len(work(copy)) == 1


def test_mail_that_the_relay_of_the_original_rejected_can_be_cancelled(
    kind: str, make_instance: Callable[[str], Instance], open_at: Open, tmp_path: Path
) -> None:
    original = make_instance(kind)
    work(original)
    with original.database.transaction() as session:
        notify_staff(session)
        session.flush()
        session.execute(update(Message).values(state=PAUSED, pause_reason="550 No"))
    copy = by_database(original, original, tmp_path, open_at)
    work(copy)

    assert "Hello" in mail(copy, "pending")
    assert "Cancelled mail: " in mail(copy, "resume", "--cancel")
    assert work(copy) == []
    assert mail(copy, "pending") == ""


def test_waiting_mail_is_listed_in_order_of_time(
    kind: str, make_instance: Callable[[str], Instance]
) -> None:
    instance = make_instance(kind)
    with instance.database.transaction() as session:
        schedule_newsletter(session)
        schedule_email(session)
        session.flush()
        session.execute(update(Newsletter).values(scheduled_send_at=utcnow() + 2 * HOUR))
        session.execute(update(ComposedEmail).values(scheduled_send_at=utcnow() + HOUR))

    lines = mail(instance, "pending").splitlines()

    assert [line.split("\t")[2] for line in lines] == ["composed", "newsletter"]


def test_scheduled_mail_can_be_cancelled_before_the_worker_of_a_copy_starts(
    kind: str, make_instance: Callable[[str], Instance], open_at: Open, tmp_path: Path
) -> None:
    original = make_instance(kind)
    work(original)
    with original.database.transaction() as session:
        schedule_newsletter(session)
    copy = by_database(original, original, tmp_path, open_at)

    assert "Cancelled mail: 1" in mail(copy, "resume", "--cancel")
    assert work(copy) == []


def test_a_database_that_is_paused_by_hand_sends_nothing(
    kind: str, make_instance: Callable[[str], Instance]
) -> None:
    instance = make_instance(kind)
    assert mail(instance, "pause") == "Sending is paused\n"
    with instance.database.transaction() as session:
        notify_staff(session)

    assert work(instance) == []
    assert mail(instance, "resume").startswith("Sending is resumed")
    assert len(work(instance)) == 1


def test_an_instance_that_is_opened_again_is_no_copy(
    kind: str, make_instance: Callable[[str], Instance], open_at: Open
) -> None:
    instance = make_instance(kind)
    work(instance)
    with instance.database.transaction() as session:
        notify_staff(session)
    url = instance.database.url.render_as_string(hide_password=False)
    instance.close()

    assert len(work(open_at(url, instance.data))) == 1


@pytest.mark.slow
def test_a_database_file_from_before_the_first_mail_pauses_in_the_folder_of_the_original(
    make_instance: Callable[[str], Instance], open_at: Open, tmp_path: Path
) -> None:
    instance = make_instance("sqlite")
    with instance.database.transaction() as session:
        schedule_newsletter(session)
    url = copy_database(instance, tmp_path)
    assert len(work(instance)) == 1
    instance.close()

    assert len(work(open_at(url, instance.data))) == 1
