"""The checks of the settings and of the provider."""

from __future__ import annotations

from masthead import Check, Instance
from masthead_oidc.accounts import unknown_roles
from masthead_oidc.provider import ProviderError, provider_of
from masthead_oidc.settings import CLIENT_ID, ISSUER, SCOPES


def checks() -> list[Check]:
    """Return the checks."""
    return [
        Check("oidc.settings", settings_trouble, start=True),
        Check(
            "oidc.provider",
            provider_trouble,
            readiness=False,
            status=False,
            remedy="correct masthead.oidc.issuer, or start the provider",
        ),
        Check(
            "oidc.roles",
            roles_trouble,
            readiness=False,
            level="warning",
            remedy="create the roles, or correct masthead.oidc.roles and new_user_roles",
        ),
    ]


def settings_trouble(instance: Instance) -> str | None:
    """Return a setting that is missing."""
    settings = instance.settings
    if not settings[ISSUER]:
        return None
    if not settings[CLIENT_ID]:
        return f"{ISSUER.name} is set, which needs {CLIENT_ID.name}"
    if "openid" not in settings[SCOPES]:
        return f"{SCOPES.name} lacks openid"
    return None


def provider_trouble(instance: Instance) -> str | None:
    """Return why the metadata of the provider can't be used."""
    if not instance.settings[ISSUER]:
        return None
    try:
        provider_of(instance).read_metadata()
    except ProviderError as error:
        return str(error)
    return None


def roles_trouble(instance: Instance) -> str | None:
    """Return the roles in the settings that don't exist."""
    with instance.database.session(read_only=True) as session:
        missing = unknown_roles(session, instance)
    return f"there is no role {', '.join(missing)}" if missing else None
