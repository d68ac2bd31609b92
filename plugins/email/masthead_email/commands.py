"""The commands of ``masthead mail``: bounces, checks, pausing, suppressed addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from sqlalchemy import select, update

from masthead import Timestamp, config_option, open_from
from masthead_email.addresses import mailbox
from masthead_email.bounces.commands import bounces
from masthead_email.outbox.models import ACTIVE, PAUSED, Message, Suppression
from masthead_email.outbox.restore_guard import pause_sending, record_run, resume_sending
from masthead_email.outbox.services import release
from masthead_email.pending import cancel_pending, pending_mail
from masthead_email.readiness import check


@click.group()
def mail() -> None:
    """Check, pause and resume the sending of mail; process bounces."""


mail.add_command(bounces)


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


@mail.command()
@config_option
def suppressed(config: Path | None) -> None:
    """List the suppressed addresses with time and reason."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        for each in session.scalars(select(Suppression).order_by(Suppression.address)):
            click.echo(f"{each.address}\t{Timestamp().dump(each.at)}\t{each.reason}")


@mail.command("release")
@click.argument("address")
@config_option
@click.pass_context
def release_command(context: click.Context, address: str, config: Path | None) -> None:
    """End the suppression of ADDRESS."""
    with open_from(config) as instance, instance.database.transaction() as session:
        released = release(session, address.strip())
    click.echo(
        f"{address} is no longer suppressed" if released else f"{address} was not suppressed"
    )
    context.exit(0 if released else 1)
