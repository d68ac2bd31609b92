"""The commands of ``masthead mail``: bounces, checks, pausing, suppressed addresses."""

from __future__ import annotations

from pathlib import Path

import click

from masthead import StartError, Timestamp, config_option, open_from
from masthead_email.addresses import mailbox
from masthead_email.bounces.commands import bounces
from masthead_email.outbox.restore_guard import pause_sending, record_place, resume_sending
from masthead_email.outbox.services import resume_rejected, retry_relay
from masthead_email.pending import cancel_pending, pending_mail
from masthead_email.readiness import check
from masthead_email.rendering.signers import KINDS, configured_signer, new_signer
from masthead_email.settings import DKIM_KEY
from masthead_email.suppressions.commands import release, suppressed


@click.group()
def mail() -> None:
    """Check, pause and resume the sending of mail; process bounces."""


mail.add_command(bounces)


@mail.command("check")
@click.option("--to", help="Send a test message to this address.")
@config_option
@click.pass_context
def check_command(context: click.Context, to: str | None, config: Path | None) -> None:
    """Check the settings, the sender, its DNS records, the outbox and the relay.

    The relay is asked whether it accepts a message from the sender; with --to it gets one.
    """
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


@mail.command("dkim")
@click.option("--new", type=click.Choice(KINDS), help="First make a key of this kind.")
@config_option
def dkim_command(new: str | None, config: Path | None) -> None:
    """Print the DNS record of the DKIM key, as a line of a zone file."""
    with open_from(config) as instance:
        signer = configured_signer(instance) if new is None else new_signer(instance, new)
        if signer is None:
            raise StartError(f"{DKIM_KEY.name}: expected the name of a file")
        click.echo(signer.zone_line)


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

    With --cancel, these messages are cancelled, and scheduled mail whose time has passed becomes a
    draft. Use it if the original instance has sent them.
    """
    with open_from(config) as instance:
        with instance.database.transaction() as session:
            cancelled = cancel_pending(session) if cancel else 0
            paused = resume_sending(session, instance)
            resumed = resume_rejected(session)
            retry_relay(session)
        with instance.database.session(read_only=True) as session:
            record_place(session, instance)
        click.echo("Sending is resumed" if paused else "Sending was not paused")
        if cancel:
            click.echo(f"Cancelled mail: {cancelled}")
        if resumed:
            click.echo(f"Resumed messages: {resumed}")


mail.add_command(suppressed)
mail.add_command(release)
