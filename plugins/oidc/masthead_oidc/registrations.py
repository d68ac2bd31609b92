"""The providers in the settings, and Masthead as their client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from masthead import Instance, NotFound, api_address
from masthead_oidc.settings import DEFAULT, ISSUER, OPTIONS, PROVIDERS, TIMEOUT

CALLBACK = "/api/auth/oidc/callback"


@dataclass(frozen=True)
class Registration:
    """A provider and the options for its persons."""

    name: str
    issuer: str
    client_id: str
    client_secret: str
    client_key: str
    """The path of the file with the private key; blank for a client with a secret, or public."""
    scopes: tuple[str, ...]
    username_claim: str
    email_claim: str
    role_claim: str
    roles: Mapping[str, frozenset[str]]
    create_users: bool
    new_user_roles: tuple[str, ...]
    link_by_email: bool
    callback: str
    """The redirect URI. Each provider has its own, so that no provider can pass an answer on to
    another one (RFC 9700 section 4.4)."""
    timeout: int


class Registrations:
    """The registrations of an instance, the one of the single settings first."""

    def __init__(self, instance: Instance) -> None:
        settings = instance.settings
        self._by_name: dict[str, Registration] = {}
        if settings[ISSUER]:
            own = {name: settings[each] for name, each in OPTIONS.items()}
            self._add(instance, DEFAULT, CALLBACK, own)
        for name, given in settings[PROVIDERS].items():
            texts = {option: given.get(option, each.default) for option, each in OPTIONS.items()}
            values = {option: OPTIONS[option].parse(text) for option, text in texts.items()}
            self._add(instance, name, f"{CALLBACK}/{name}", values)

    def _add(self, instance: Instance, name: str, callback: str, values: Mapping[str, Any]) -> None:
        settings = instance.settings
        self._by_name[name] = Registration(
            name=name,
            callback=api_address(settings, callback),
            timeout=settings[TIMEOUT],
            **values,
        )

    @property
    def all(self) -> list[Registration]:
        """All registrations."""
        return list(self._by_name.values())

    def find(self, name: str) -> Registration | None:
        """Return the registration at a provider; None if the settings have none any more."""
        return self._by_name.get(name)

    def of_issuer(self, issuer: Any) -> Registration | None:
        """Return the registration at an issuer; None without one."""
        return next((each for each in self.all if each.issuer == issuer), None)


def registrations(instance: Instance) -> Registrations:
    """Return the registrations of an instance."""
    return instance.shared(Registrations)


def chosen_registration(instance: Instance, name: str | None) -> Registration:
    """Return the registration at a provider, by default at the first one.

    :raises NotFound: without such a provider.
    """
    found = registrations(instance)
    if not found.all:
        raise NotFound("Single sign-on isn't set up")
    chosen = found.all[0] if name is None else found.find(name)
    if chosen is None:
        raise NotFound("There is no such provider")
    return chosen
