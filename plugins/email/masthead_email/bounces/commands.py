"""``masthead mail bounces``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from sqlalchemy.exc import SQLAlchemyError

from masthead import Instance, StartError, config_option, open_from
from masthead_email.bounces.mailbox import MailboxError, read_messages
from masthead_email.bounces.parts import MAX_SIZE
from masthead_email.bounces.services import Outcome, process_message
from masthead_email.bounces.settings import MAILBOX
from masthead_email.bounces.sources import Incoming, read_path, read_stream


class SysexitsCommand(click.Command):
    """A command whose usage errors have the exit codes of ``sysexits.h``, for mail servers."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the arguments; print a usage error and exit."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            name = error.param.name if isinstance(error, click.BadParameter) and error.param else ""
            codes = {"config": os.EX_CONFIG, "source": os.EX_NOINPUT}
            error.show()
            raise click.exceptions.Exit(codes.get(name or "", os.EX_USAGE)) from error


@click.command(cls=SysexitsCommand)
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
    cur. A mail server that pipes a message gets an exit status of sysexits.h: 75 if the message
    can't be processed now, so that it tries again, 65 for a message that is too large, 66 without
    a message, 78 for a configuration that can't be used.
    """
    if mailbox and source is not None:
        raise click.UsageError("--mailbox and SOURCE exclude each other")
    piped = not mailbox and source is None
    with _errors(os.EX_TEMPFAIL if piped else 1), ExitStack() as opened:
        with _errors(os.EX_CONFIG if piped else 1):
            instance = opened.enter_context(open_from(config))
        unread = 0
        for incoming in _read(instance, source, mailbox=mailbox):
            if incoming.octets is None:
                click.echo(f"{incoming.name} isn't read: more than {MAX_SIZE} bytes", err=True)
                unread += 1
                continue
            if piped and not incoming.octets.strip():
                click.echo("Error: standard input has no message", err=True)
                context.exit(os.EX_NOINPUT)
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
def _errors(code: int) -> Iterator[None]:
    """Turn errors in the block into one line and an exit status."""
    try:
        yield
    except (MailboxError, StartError, SQLAlchemyError, OSError) as error:
        text = str(getattr(error, "orig", None) or error)
        click.echo(f"Error: {' '.join(text.split())}", err=True)
        sys.exit(code)
