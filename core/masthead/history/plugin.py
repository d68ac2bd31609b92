"""Revisions as part of core: settings, job and check, and the proof of approvals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click

from masthead.history import settings
from masthead.history.commands import approval
from masthead.history.retention import delete_old
from masthead.history.verifying import verify
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance
from masthead.settings import Setting
from masthead.worker.jobs import Chore

_MOST = 5
"""The maximum number of items to name."""


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of revisions."""
    return [settings.RECORD, settings.FOLD_MINUTES, settings.KEEP, settings.DAYS]


@hookimpl
def masthead_jobs() -> list[Chore]:
    """Return the chore that deletes old revisions."""
    return [Chore("revisions.retention", timedelta(hours=6), delete_old)]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead approval``."""
    group.add_command(approval)


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the check that compares public and approved values."""
    return [
        Check(
            "approval.content",
            approved_trouble,
            readiness=False,
            remedy="masthead approval verify lists the fields; edit the items, or have them"
            " approved again",
            status=False,
        )
    ]


def approved_trouble(instance: Instance) -> str | None:
    """Return the published items that have other values than were approved."""
    if not instance.settings[settings.RECORD]:
        return None
    found = verify(instance).deviations
    if not found:
        return None
    named = ", ".join(f"{each.kind} {each.id}" for each in found[:_MOST])
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f"other values than approved: {named}{more}"
