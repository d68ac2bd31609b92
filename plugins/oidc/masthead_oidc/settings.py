"""The settings of the plugin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from masthead import Setting, boolean, integer, text, url, words

DEFAULT = "default"
"""The name of the provider that has settings of its own."""
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,29}:")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_RETURN_ADDRESS = re.compile(r"https?://[\w.:\[\]-]+(/[\w/.~-]*)?", re.ASCII)


def _issuer(value: str) -> str:
    """Parse the address of a provider; blank stays blank, and a slash at its end belongs to it.

    :raises ValueError: for another value, and for http except on the machine itself.
    """
    address = value.strip()
    if address and not _is_safe(address):
        raise ValueError("an address with https such as https://login.example.org/realms/staff")
    return address


def _is_safe(address: str) -> bool:
    try:
        url(address)
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" or parts.hostname in _LOOPBACK


def _addresses(value: str) -> tuple[str, ...]:
    """Parse addresses of pages, to which the browser may return.

    :raises ValueError: for any other word.
    """
    found = tuple(each.rstrip("/") for each in words(value))
    if not all(_RETURN_ADDRESS.fullmatch(each) for each in found):
        raise ValueError("addresses such as https://www.example.org/staff, separated by blanks")
    return found


def _split(value: str) -> list[str]:
    """Split a text at blanks outside of quotes; a backslash is a character as any other.

    Secrets, and names of groups in some directories, contain backslashes.

    :raises ValueError: if a quote doesn't end.
    """
    words_ = shlex.shlex(value, posix=True)
    words_.escape, words_.commenters, words_.whitespace_split = "", "", True
    return list(words_)


def _role_mapping(value: str) -> Mapping[str, frozenset[str]]:
    """Parse pairs of a claim's value and a role, such as ``board=admin "All staff"=editor``.

    :raises ValueError: for any other word.
    """
    found: dict[str, frozenset[str]] = {}
    try:
        # The value of the claim may contain the sign, as names of LDAP do.
        pairs = [word.rpartition("=") for word in _split(value)]
    except ValueError:
        pairs = [("", "", "")]
    for name, _, role in pairs:
        if not name or not role:
            raise ValueError('pairs of a group and a role such as staff=editor "All staff"=editor')
        found[name] = found.get(name, frozenset()) | {role}
    return found


ISSUER = Setting(
    "masthead.oidc.issuer",
    _issuer,
    "",
    "The issuer of the provider of OpenID Connect, by which staff log in, exactly as the provider"
    " writes it; blank means no single sign-on.",
)
CLIENT_ID = Setting(
    "masthead.oidc.client_id",
    text,
    "",
    "The client id that the provider has given to Masthead.",
    shows=False,
)
CLIENT_SECRET = Setting(
    "masthead.oidc.client_secret",
    text,
    "",
    "The client secret that the provider has given to Masthead; blank for a public client.",
    secret=True,
    shows=False,
)
SCOPES = Setting(
    "masthead.oidc.scopes",
    words,
    "openid profile email",
    "The scopes that Masthead requests, separated by blanks; openid is among them.",
    shows=False,
)
RETURN_ADDRESSES = Setting(
    "masthead.oidc.return_addresses",
    _addresses,
    "",
    "Addresses of pages to which the browser may return after a login or logout, separated by"
    " blanks; the pages below them are included. The first one is the default. Blank means"
    " the public website.",
    shows=False,
)
CLIENT_KEY = Setting(
    "masthead.oidc.client_key",
    text,
    "",
    "A file with the private key (PEM or JWK) by which Masthead proves to be the client, instead of"
    " a client secret (private_key_jwt).",
    shows=False,
)
USERNAME_CLAIM = Setting(
    "masthead.oidc.username_claim",
    text,
    "preferred_username",
    "The claim with the username of a new user; without it, the e-mail address is used.",
    shows=False,
)
EMAIL_CLAIM = Setting(
    "masthead.oidc.email_claim",
    text,
    "email",
    "The claim with the e-mail address.",
    shows=False,
)
ROLE_CLAIM = Setting(
    "masthead.oidc.role_claim",
    text,
    "groups",
    "The claim with the groups or roles at the provider; dots lead into objects, as in"
    " realm_access.roles.",
    shows=False,
)
ROLES = Setting[Mapping[str, frozenset[str]]](
    "masthead.oidc.roles",
    _role_mapping,
    "",
    "Pairs of a group at the provider and a role of Masthead, separated by blanks, such as"
    ' board=admin "All staff"=editor. At each login, a user gets exactly those of the named roles'
    " that the claim has; roles that aren't named stay. Blank leaves the roles to administrators.",
    shows=False,
)
CREATE_USERS = Setting(
    "masthead.oidc.create_users",
    boolean,
    "false",
    "Whether a person who logs in for the first time gets a new user.",
    shows=False,
)
NEW_USER_ROLES = Setting(
    "masthead.oidc.new_user_roles",
    words,
    "",
    "Roles of new users, separated by blanks. masthead.oidc.roles decides about the roles that it"
    " names, so they have no effect here.",
    shows=False,
)
LINK_BY_EMAIL = Setting(
    "masthead.oidc.link_by_email",
    boolean,
    "false",
    "Whether a person who logs in for the first time becomes the existing user with the same"
    " e-mail address, if the provider has verified it. Whoever has the address at the provider"
    " thus has the user.",
    shows=False,
)
OPTIONS: Mapping[str, Setting[Any]] = {
    each.name.rpartition(".")[2]: each
    for each in (
        *(ISSUER, CLIENT_ID, CLIENT_SECRET, CLIENT_KEY, SCOPES),
        *(USERNAME_CLAIM, EMAIL_CLAIM, ROLE_CLAIM, ROLES),
        *(CREATE_USERS, NEW_USER_ROLES, LINK_BY_EMAIL),
    )
}
"""The settings that each provider has for itself, by the name of the option."""


def _providers(value: str) -> Mapping[str, Mapping[str, str]]:
    """Parse further providers with their options: ``google: issuer=… client_id=…``.

    :raises ValueError: for any other text.
    """
    try:
        found = _named_options(_split(value))
    except (ValueError, LookupError):
        found = {"": {}}
    if not all(options.get("issuer") and options.get("client_id") for options in found.values()):
        raise ValueError(
            "names of providers, each with a colon and its options, among them issuer and"
            " client_id, such as google: issuer=https://accounts.google.com client_id=123"
        )
    return found


def _named_options(words_: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return options by the name before them.

    :raises LookupError: for an option that is unknown, repeated or without a name.
    :raises ValueError: for a name that is wrong or repeated, and for a wrong value.
    """
    found: dict[str, dict[str, str]] = {}
    left = dict[str, Setting[Any]]()
    for word in words_:
        option, sign, value = word.partition("=")
        if sign:
            left.pop(option).parse(value)
            found[next(reversed(found))][option] = value
            continue
        if not _NAME.fullmatch(word) or word[:-1] in (*found, DEFAULT):
            raise ValueError(word)
        found[word[:-1]], left = {}, dict(OPTIONS)
    return found


PROVIDERS = Setting[Mapping[str, Mapping[str, str]]](
    "masthead.oidc.providers",
    _providers,
    "",
    "Further providers, each as a name with a colon and its options: 'google:"
    " issuer=https://accounts.google.com client_id=123 client_secret=…'. The options are named as"
    f" the settings: {', '.join(OPTIONS)}. An option that isn't there has the default of the"
    " setting. Values with blanks or quotes are in quotes of the other kind; a backslash is a"
    " character as any other.",
    secret=True,
    shows=False,
)
PASSWORD_LOGINS = Setting(
    "masthead.oidc.password_logins",
    boolean,
    "true",
    "Whether users can also log in by their password. It has no effect while there is no provider.",
)
TIMEOUT = Setting(
    "masthead.oidc.timeout",
    integer(1, 30),
    "5",
    "Seconds for which Masthead waits for the provider.",
    shows=False,
)
SETTINGS: list[Setting[Any]] = [
    ISSUER,
    CLIENT_ID,
    CLIENT_SECRET,
    CLIENT_KEY,
    SCOPES,
    RETURN_ADDRESSES,
    USERNAME_CLAIM,
    EMAIL_CLAIM,
    ROLE_CLAIM,
    ROLES,
    CREATE_USERS,
    NEW_USER_ROLES,
    LINK_BY_EMAIL,
    PROVIDERS,
    PASSWORD_LOGINS,
    TIMEOUT,
]
