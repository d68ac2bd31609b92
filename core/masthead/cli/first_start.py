"""What an instance needs before it can serve: tables, secrets, grants and the first admin."""

from __future__ import annotations

from collections.abc import Callable

from masthead.auth.setup import first_admin, make_secrets, sync_grants
from masthead.content.list_json import invalidate_outdated
from masthead.db import migrate
from masthead.instance import Instance


def prepare(
    instance: Instance, announce_admin: Callable[[str, str], None] | None = None
) -> list[str]:
    """Migrate, make the secrets, grant what is new; what has been done before stays as it is.

    Each step takes a lock of its own, so any number of processes may start at once.

    :param announce_admin: tells somebody the name and password of the first admin, who is made
        only where this is given; where it raises, no admin has been made.
    :return: the names of the plugins whose tables were migrated.
    :raises StartError: with one line that says what can't work.
    """
    # Passwords and secrets are nobody else's business on the machine.
    instance.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = instance.database
    migrated = migrate.pending(database, instance.plugins)
    migrate.upgrade(database, instance.plugins)
    make_secrets(instance)
    with database.transaction() as session:
        sync_grants(session, instance)
        invalidate_outdated(session, instance)
        made = first_admin(session) if announce_admin else None
        if announce_admin and made:
            announce_admin(*made)
    return migrated
