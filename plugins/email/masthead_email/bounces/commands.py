"""``masthead mail bounces``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from masthead import Instance, StartError, config_option, open_from
from masthead_email.bounces.mailbox import MailboxError, read_messages
from masthead_email.bounces.parts import MAX_SIZE
from masthead_email.bounces.services import Outcome, process_message
from masthead_email.bounces.settings import MAILBOX
from masthead_email.bounces.sources import Incoming, read_path, read_stream


@click.command()
@click.argument("source", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--mailbox", is_flag=True, help="Read the mailbox of the settings.")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@config_option
@click.pass_context
def bounces(
    context: click.Context,
    source: Path | None,
    mailbox: bool,
    dry_run: bool,
    config: Path | None,
) -> None:
    """Process bounces and complaints from standard input, or from SOURCE.

    SOURCE is a message, an mbox, a folder of files or a Maildir, whose messages move from new to
    cur. A message of standard input that can't be processed now results in exit status 75, so
    that the mail server tries again.
    """
    if mailbox and source is not None:
        raise click.UsageError("--mailbox and SOURCE exclude each other")
    piped = not mailbox and source is None
    with _errors(piped=piped), open_from(config) as instance:
        unread = 0
        for incoming in _read(instance, source, mailbox=mailbox):
            if incoming.octets is None:
                click.echo(f"{incoming.name} isn't read: more than {MAX_SIZE} bytes", err=True)
                unread += 1
                continue
            for outcome in _process(instance, incoming.octets, dry_run=dry_run):
                click.echo(str(outcome))
            if not dry_run:
                incoming.finish()
    if unread:
        context.exit(os.EX_DATAERR if piped else 1)


def _read(instance: Instance, source: Path | None, *, mailbox: bool) -> Iterator[Incoming]:
    if mailbox:
        settings = instance.settings[MAILBOX]
        if settings is None:
            raise StartError(f"{MAILBOX.name} names no mailbox")
        return read_messages(settings)
    if source is not None:
        return read_path(source)
    return read_stream(sys.stdin.buffer, "the message")


def _process(instance: Instance, octets: bytes, *, dry_run: bool) -> list[Outcome]:
    with instance.database.session() as session, session.begin() as transaction:
        outcomes = process_message(session, octets)
        if dry_run:
            transaction.rollback()
    return outcomes


@contextmanager
def _errors(*, piped: bool) -> Iterator[None]:
    """Turn errors into one line, and for a mail server into "try again later"."""
    try:
        yield
    except MailboxError as error:
        raise StartError(str(error)) from error
    except (StartError, SQLAlchemyError, OSError) as error:
        text = str(getattr(error, "orig", None) or error)
        if not piped:
            raise StartError(" ".join(text.split())) from error
        click.echo(f"Error: {' '.join(text.split())}", err=True)
        sys.exit(os.EX_TEMPFAIL)
