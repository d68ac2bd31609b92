"""The hooks of bounces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from masthead import Chore, Instance, Job, Setting, hookimpl
from masthead_email.bounces.mailbox import INTERVAL, poll
from masthead_email.bounces.repeated import repeated_jobs
from masthead_email.bounces.services import process_message
from masthead_email.bounces.settings import MAILBOX, SETTINGS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of bounces."""
    return SETTINGS


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Return the chore that reads the mailbox, and the job about repeated failures."""
    return [*_mailbox_chores(instance), *repeated_jobs(instance)]


def _mailbox_chores(instance: Instance) -> list[Chore]:
    mailbox = instance.settings[MAILBOX]
    if mailbox is None:
        return []

    def run(instance: Instance, may_go_on: Callable[[], bool]) -> bool:
        return poll(instance, mailbox, _process, may_go_on)

    return [Chore("email.bounces", INTERVAL, run)]


def _process(instance: Instance, octets: bytes) -> None:
    with instance.database.transaction() as session:
        process_message(session, octets)
