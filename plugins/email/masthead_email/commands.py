"""The commands of ``masthead mail``: bounces, checks, pausing, suppressed addresses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sqlalchemy import update

from masthead import Timestamp, config_option, open_from
from masthead_email.addresses import mailbox
from masthead_email.bounces.reading import MAX_SIZE
from masthead_email.bounces.services import process_bounce
from masthead_email.outbox.models import ACTIVE, PAUSED, Message
from masthead_email.outbox.restore_guard import pause_sending, record_run, resume_sending
from masthead_email.pending import cancel_pending, pending_mail
from masthead_email.readiness import check
from masthead_email.suppressions.commands import release, suppressed


@click.group()
def mail() -> None:
    """Check, pause and resume the sending of mail; process bounces."""


@mail.command()
@click.argument("folder", required=False, type=click.Path(exists=True, path_type=Path))
@config_option
def bounces(folder: Path | None, config: Path | None) -> None:
    """Process bounces from standard input, or from FOLDER (a file, a folder or a Maildir).

    Permanently undeliverable addresses are suppressed. Messages of a Maildir move from new to cur.
    """
    with open_from(config) as instance:
        for octets in _read_messages(folder):
            with instance.database.transaction() as session:
                suppressed_addresses = process_bounce(session, octets)
            for address in suppressed_addresses:
                click.echo(f"{address} is suppressed")


@mail.command("check")
@click.option("--to", help="Send a test message to this address.")
@config_option
@click.pass_context
def check_command(context: click.Context, to: str | None, config: Path | None) -> None:
    """Check the settings, the sender and the relay; optionally send a test message."""
    if to is not None:
        try:
            to = mailbox(to).address
        except ValueError as error:
            raise click.BadParameter(f"expected {error}", param_hint="--to") from None
    with open_from(config) as instance:
        ok = True
        for result in check(instance, to):
            click.echo(f"{'ok  ' if result.ok else 'FAIL'}  {result.text}")
            ok = ok and result.ok
    context.exit(0 if ok else 1)


@mail.command()
@config_option
def pause(config: Path | None) -> None:
    """Pause all sending, for example before a copy of the database starts."""
    with open_from(config) as instance, instance.database.transaction() as session:
        pause_sending(session, instance)
    click.echo("Sending is paused")


@mail.command("pending")
@config_option
def pending_command(config: Path | None) -> None:
    """List the mail that waits: queued messages, and scheduled mail with its time."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        for each in pending_mail(session):
            time = Timestamp().dump(each.time)
            click.echo(f"{time}\t{each.state}\t{each.kind}\t{each.recipients}\t{each.subject}")


@mail.command()
@click.option("--cancel", is_flag=True, help="Cancel the mail that waits, instead of sending it.")
@config_option
def resume(cancel: bool, config: Path | None) -> None:
    """Resume sending after a restore or an import, and messages that the relay rejected.

    With --cancel, queued messages are cancelled, and scheduled mail whose time has passed becomes a
    draft. Use it if the original instance has sent them.
    """
    with open_from(config) as instance:
        with instance.database.transaction() as session:
            cancelled = cancel_pending(session) if cancel else 0
            paused = resume_sending(session, instance)
            rejected = update(Message).where(
                Message.state == PAUSED, Message.pause_reason.is_not(None)
            )
            resumed: Any = session.execute(rejected.values(state=ACTIVE, pause_reason=None))
        with instance.database.session(read_only=True) as session:
            record_run(session, instance)
        click.echo("Sending is resumed" if paused else "Sending was not paused")
        if cancel:
            click.echo(f"Cancelled mail: {cancelled}")
        if resumed.rowcount:
            click.echo(f"Resumed messages: {resumed.rowcount}")


mail.add_command(suppressed)
mail.add_command(release)


def _read_messages(path: Path | None) -> Iterator[bytes]:
    if path is None:
        yield sys.stdin.buffer.read(MAX_SIZE)
        return
    if path.is_file():
        yield path.read_bytes()[:MAX_SIZE]
        return
    new = path / "new"
    folder = new if new.is_dir() else path
    for file in sorted(each for each in folder.iterdir() if each.is_file()):
        with file.open("rb") as opened:
            yield opened.read(MAX_SIZE)
        # The caller asks for the next message after it has committed this one.
        if folder is new:
            (path / "cur").mkdir(exist_ok=True)
            file.replace(path / "cur" / f"{file.name}:2,S")
