"""``masthead mail …``: returned mail, the way to the relay, going on after a pause."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sqlalchemy import select, update

from masthead import Timestamp, config_option, open_from
from masthead_email.addresses import mailbox
from masthead_email.bounces.reading import LARGEST
from masthead_email.bounces.services import take_bounce
from masthead_email.outbox.models import ACTIVE, PAUSED, Message, Suppression
from masthead_email.outbox.restore_guard import record_run, resume_sending
from masthead_email.outbox.services import release
from masthead_email.readiness import check


@click.group()
def mail() -> None:
    """See that mail leaves, and take what comes back."""


@mail.command()
@click.argument("folder", required=False, type=click.Path(exists=True, path_type=Path))
@config_option
def bounces(folder: Path | None, config: Path | None) -> None:
    """Read mail that came back: one from the input, or those of FOLDER (a file, a Maildir).

    Addresses that will never take mail get nothing any more. What was read from a folder named new
    moves to cur beside it, as in a Maildir.
    """
    with open_from(config) as instance:
        for octets in _mails(folder):
            with instance.database.transaction() as session:
                silenced = take_bounce(session, octets)
            for address in silenced:
                click.echo(f"{address} gets nothing any more")


@mail.command("check")
@click.option("--to", help="Send a test mail to this address.")
@config_option
@click.pass_context
def check_command(context: click.Context, to: str | None, config: Path | None) -> None:
    """Look at the settings, the sender's domain and the relay, and send a test mail."""
    if to is not None:
        try:
            to = mailbox(to).address
        except ValueError as error:
            raise click.BadParameter(f"expected {error}", param_hint="--to") from None
    with open_from(config) as instance:
        well = True
        for line in check(instance, to):
            click.echo(f"{'ok  ' if line.well else 'FAIL'}  {line.text}")
            well = well and line.well
    context.exit(0 if well else 1)


@mail.command()
@config_option
def resume(config: Path | None) -> None:
    """Go on after a restored backup, and with messages that the relay had refused."""
    with open_from(config) as instance:
        with instance.database.transaction() as session:
            paused = resume_sending(session, instance)
            troubled = update(Message).where(
                Message.state == PAUSED, Message.pause_reason.is_not(None)
            )
            going: Any = session.execute(troubled.values(state=ACTIVE, pause_reason=None))
        with instance.database.session(read_only=True) as session:
            record_run(session, instance)
        click.echo("Mail is sent" if paused else "Mail was sent already")
        if going.rowcount:
            click.echo(f"Messages that go on: {going.rowcount}")


@mail.command()
@config_option
def suppressed(config: Path | None) -> None:
    """List the addresses that get nothing any more, with the reason."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        for each in session.scalars(select(Suppression).order_by(Suppression.address)):
            click.echo(f"{each.address}\t{Timestamp().dump(each.at)}\t{each.reason}")


@mail.command("release")
@click.argument("address")
@config_option
@click.pass_context
def release_command(context: click.Context, address: str, config: Path | None) -> None:
    """Let ADDRESS get mail again."""
    with open_from(config) as instance, instance.database.transaction() as session:
        released = release(session, address.strip())
    click.echo(f"{address} gets mail again" if released else f"{address} got mail already")
    context.exit(0 if released else 1)


def _mails(place: Path | None) -> Iterator[bytes]:
    if place is None:
        yield sys.stdin.buffer.read(LARGEST)
        return
    if place.is_file():
        yield place.read_bytes()[:LARGEST]
        return
    new = place / "new"
    folder = new if new.is_dir() else place
    for file in sorted(each for each in folder.iterdir() if each.is_file()):
        with file.open("rb") as opened:
            yield opened.read(LARGEST)
        # Only once what follows from it is committed: the caller asks for the next one then.
        if folder is new:
            (place / "cur").mkdir(exist_ok=True)
            file.replace(place / "cur" / f"{file.name}:2,S")
