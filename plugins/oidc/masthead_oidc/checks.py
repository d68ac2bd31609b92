"""The checks of the settings and of the providers."""

from __future__ import annotations

from masthead import Check, Instance
from masthead_oidc.accounts import mapped_new_roles, unknown_roles
from masthead_oidc.client_keys import read_client_key
from masthead_oidc.provider import ProviderError, provider_of
from masthead_oidc.registrations import registrations
from masthead_oidc.settings import CLIENT_ID, ISSUER, SCOPES


def checks() -> list[Check]:
    """Return the checks."""
    return [
        Check("oidc.settings", settings_trouble, start=True),
        Check(
            "oidc.key",
            key_trouble,
            readiness=False,
            remedy="correct masthead.oidc.client_key, or the file",
        ),
        Check(
            "oidc.provider",
            provider_trouble,
            readiness=False,
            status=False,
            warn=True,
            remedy="correct the issuer, or start the provider",
        ),
        Check(
            "oidc.roles",
            roles_trouble,
            readiness=False,
            level="warning",
            remedy="create the roles, or correct the settings roles and new_user_roles",
        ),
    ]


def settings_trouble(instance: Instance) -> str | None:
    """Return a setting that is missing or wrong."""
    known = registrations(instance).all
    for each in known:
        if not each.client_id:
            return f"{ISSUER.name} is set, which needs {CLIENT_ID.name}"
        if "openid" not in each.scopes:
            return f"{SCOPES.name} lacks openid, for the provider {each.name}"
        if sum(other.issuer == each.issuer for other in known) > 1:
            return f"two providers have the issuer {each.issuer}"
        if each.client_secret and each.client_key:
            return f"the provider {each.name} has both client_secret and client_key"
    return None


def key_trouble(instance: Instance) -> str | None:
    """Return why a private key can't be used."""
    try:
        for each in registrations(instance).all:
            if each.client_key:
                read_client_key(each.client_key)
    except ValueError as error:
        return str(error)
    return None


def provider_trouble(instance: Instance) -> str | None:
    """Return why the metadata of a provider can't be used."""
    found = []
    for each in registrations(instance).all:
        try:
            provider_of(each).read_metadata()
        except ProviderError as error:
            found.append(str(error))
    return "; ".join(found) or None


def roles_trouble(instance: Instance) -> str | None:
    """Return the roles in the settings that don't exist, and those that have no effect."""
    known = registrations(instance).all
    with instance.database.session(read_only=True) as session:
        missing = unknown_roles(session, known)
    found = [f"there is no role {', '.join(missing)}"] if missing else []
    if lost := mapped_new_roles(known):
        found.append(f"new_user_roles and roles both name {', '.join(lost)}, so roles decides")
    return "; ".join(found) or None
