"""The hooks of the plugin: purging caches in front of Masthead when public answers change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import ALL_ANSWERS, Check, Chore, Job, Plugin, Reading, Setting, hookimpl, instance_of
from masthead_cdn import diagnosis
from masthead_cdn.caches import caches_of
from masthead_cdn.models import Base
from masthead_cdn.queue import store, store_changes
from masthead_cdn.sender import is_any_due, send_due
from masthead_cdn.settings import SETTINGS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the caches."""
    return SETTINGS


@hookimpl
def masthead_checks() -> list[Check | Reading]:
    """Return the checks and gauges of purges."""
    return diagnosis.checks()


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead cdn``."""
    from masthead_cdn.commands import cdn

    group.add_command(cdn)


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the work that sends purges that aren't sent at once."""
    return [Chore("cdn.purge", timedelta(seconds=5), send_due, is_any_due)]


# Last, because other implementations may change items.
@hookimpl(trylast=True)
def masthead_committing(session: Session) -> None:
    """Store the purges of the transaction."""
    store_changes(session)


@hookimpl
def masthead_imported(session: Session) -> None:
    """Purge all answers, because an import writes rows that no change tells of."""
    if caches_of(instance_of(session)):
        store(session, [ALL_ANSWERS])


plugin = Plugin(name="cdn", hooks=(__name__,), base=Base, migrations="masthead_cdn.migrations")
