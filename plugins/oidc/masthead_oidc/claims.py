"""The claims of a person who has logged in at the provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from masthead import Email, Unauthenticated
from masthead_oidc.attempts import Ticket
from masthead_oidc.id_tokens import read_id_token
from masthead_oidc.provider import fetch_tokens, fetch_user_info
from masthead_oidc.registrations import Registration


@dataclass(frozen=True)
class Person:
    """A person at the provider."""

    registration: Registration
    subject: str
    claims: Mapping[str, Any]
    id_token: str

    @property
    def username(self) -> str | None:
        """The username for a new user; None without one."""
        name = find_claim(self.claims, self.registration.username_claim)
        return name if isinstance(name, str) and name else self.email

    @property
    def email(self) -> str | None:
        """The e-mail address; None without one that is valid."""
        found = find_claim(self.claims, self.registration.email_claim)
        try:
            return Email().parse(found) if isinstance(found, str) else None
        except ValueError:
            return None

    @property
    def has_verified_email(self) -> bool:
        """Whether the provider has verified the e-mail address; some say so as text.

        Providers verify the claim ``email``. Another one may hold an address that the person chose.
        """
        verified = self.claims.get("email_verified") in (True, "true")
        named = find_claim(self.claims, self.registration.email_claim)
        return verified and named == self.claims.get("email")

    @property
    def display_name(self) -> str | None:
        """The name of the person; None without one."""
        name = self.claims.get("name")
        return name if isinstance(name, str) and name else None

    @property
    def roles(self) -> frozenset[str]:
        """The roles of Masthead that the claim with the groups leads to."""
        mapping = self.registration.roles
        groups = _texts(find_claim(self.claims, self.registration.role_claim))
        return frozenset().union(*(mapping.get(group, frozenset()) for group in groups))


def identify(registration: Registration, ticket: Ticket) -> Person:
    """Exchange an authorization code for the claims of the person.

    Claims that the ID token lacks are read from the endpoint for user information.

    :raises Unauthenticated: if the code or the ID token isn't valid.
    :raises Busy: if the provider can't be reached.
    """
    tokens = fetch_tokens(registration, ticket)
    claims = dict(read_id_token(registration, tokens, ticket.nonce))
    if any(find_claim(claims, name) is None for name in _wanted(registration)):
        further = fetch_user_info(registration, tokens)
        # Otherwise the claims could be those of another person (OpenID Connect Core 5.3.2).
        if further and further.get("sub") != claims["sub"]:
            raise Unauthenticated("The answer of the provider isn't valid")
        claims = _merged(claims, further)
    return Person(registration, claims["sub"], claims, str(tokens["id_token"]))


def _merged(claims: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims of the ID token, and further ones that it lacks.

    ``email_verified`` is about the address beside it, so both come from the same place.
    """
    pair = claims if "email" in claims else further
    merged = {**further, **claims}
    merged.pop("email_verified", None)
    return merged | {name: pair[name] for name in ("email_verified",) if name in pair}


def find_claim(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim; None without it. Dots lead into objects, unless a name contains them."""
    if name in claims:
        return claims[name]
    first, dot, rest = name.partition(".")
    inner = claims.get(first)
    return find_claim(inner, rest) if dot and isinstance(inner, Mapping) else None


def _wanted(registration: Registration) -> Sequence[str]:
    groups = (registration.role_claim,) if registration.roles else ()
    names = (registration.username_claim, registration.email_claim)
    return (*names, "email_verified", *groups)


def _texts(value: Any) -> Sequence[str]:
    """Return the texts of a claim that is a list or one text."""
    if isinstance(value, str):
        return (value,)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else ()
