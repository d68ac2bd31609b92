"""Preparation of an instance: tables, secrets, grants and the first administrator."""

from __future__ import annotations

import logging
from collections.abc import Callable

from masthead.auth.sealed_columns import reseal_all
from masthead.auth.setup import first_admin, make_secrets, sync_grants
from masthead.auth.tokens import missing_secrets
from masthead.backup.finishing import finish_restore
from masthead.checking.folders import make_data_folder, naming_settings
from masthead.console.context import configuring
from masthead.content.list_json import invalidate_outdated
from masthead.content.reindexing import mark_old_forms
from masthead.db import migrate
from masthead.errors import WrongConfiguration
from masthead.instance import Instance
from masthead.references.rebuilding import rebuild_outdated
from masthead.web.fingerprint import note_fingerprint
from masthead.worker.jobs import jobs_of

logger = logging.getLogger(__name__)


def prepare(
    instance: Instance,
    announce_admin: Callable[[str, str], None] | None = None,
    tell: Callable[[str], object] = logger.warning,
) -> list[str]:
    """Migrate, finish a restore, make secrets, encrypt values and grant permissions; idempotent.

    Each step takes its own lock, so several processes may start at the same time.

    :param announce_admin: takes the name and password of the first administrator, who is created
        only if this is given; if it raises, no administrator is created.
    :param tell: takes each message about a restore that this ends.
    :return: the names of the plugins whose tables were migrated.
    :raises StartError: with a one-line message.
    """
    # Wrong settings must stop the start before tables and the first administrator exist.
    if trouble := missing_secrets(instance):
        raise WrongConfiguration(trouble)
    with configuring():
        jobs_of(instance)
    make_data_folder(instance)
    database = instance.database
    with naming_settings(instance):
        # The first connection creates the file of a SQLite database.
        migrated = migrate.pending(database, instance.plugins)
    migrate.upgrade(database, instance.plugins)
    make_secrets(instance)
    with database.transaction() as session:
        messages = finish_restore(session, instance)
        sync_grants(session, instance)
        reseal_all(session)
        invalidate_outdated(session, instance)
        mark_old_forms(session, instance)
        rebuild_outdated(session, instance)
        note_fingerprint(session, instance)
        made = first_admin(session) if announce_admin else None
        if announce_admin and made:
            announce_admin(*made)
    for message in messages:
        tell(message)
    return migrated
