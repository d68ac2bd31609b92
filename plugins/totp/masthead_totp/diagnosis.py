"""The check of the roles that need an authenticator app."""

from __future__ import annotations

from sqlalchemy import select

from masthead import Check, Instance, Role, fold
from masthead_totp.settings import REQUIRED


def checks() -> list[Check]:
    """Return the check."""
    return [
        Check(
            "totp.roles",
            roles_trouble,
            readiness=False,
            remedy=f"correct {REQUIRED.name}, whose other roles are in force",
        )
    ]


def roles_trouble(instance: Instance) -> str | None:
    """Return the names in the setting that no role has."""
    wanted = {fold(name): name for name in instance.settings[REQUIRED]}
    if not wanted:
        return None
    found = select(Role.name_key).where(Role.name_key.in_(wanted))
    with instance.database.read() as connection:
        missing = wanted.keys() - set(connection.scalars(found))
    if not missing:
        return None
    return f"there is no role {', '.join(sorted(wanted[key] for key in missing))}"
