"""Bearer tokens: JWTs (RFC 7519) signed with HS256, and the secrets that sign them."""

from __future__ import annotations

import base64
import hmac
import logging
import re
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from masthead.db import CLOCK_SKEW, utcnow
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.settings import Setting, integer

if TYPE_CHECKING:
    from jwt.types import Options

logger = logging.getLogger(__name__)

ALGORITHM = "HS256"
MIN_SECRET_BYTES = 32
MAX_TOKEN_LENGTH = 8_192
FILE_OBEYED_AFTER = 1.0
"""Seconds after which a running server uses a changed file."""
_OLD_DAYS = 730
"""The age of a secret that is worth a warning."""
_SAMPLE = re.compile(r"(change|replace)[-_ ]?(me|this)|(your|example|sample)[-_ ]|placeholder|<|>")


def strong_secrets(value: str) -> tuple[str, ...]:
    """Return secrets separated by blanks; none where the value is blank.

    :raises ValueError: for a secret that is easy to guess.
    """
    found = tuple(value.split())
    if any(_is_weak(secret) for secret in found):
        raise ValueError(
            f"secrets of at least {MIN_SECRET_BYTES} bytes that no sample shows; the output of"
            " `openssl rand -hex 32` is one"
        )
    return found


SECRETS = Setting(
    "masthead.auth.secrets",
    strong_secrets,
    "",
    "Secrets that sign login tokens, separated by blanks: the first signs, all verify. Blank means"
    " a file in the data folder, made at the first start; with PostgreSQL they must be set.",
    secret=True,
    shows=False,
)
TOKEN_DAYS = Setting(
    "masthead.auth.token_days",
    integer(1, 365),
    "7",
    "Token lifetime in days.",
    shows=False,
)


@dataclass(frozen=True)
class Claims:
    """The claims of a valid token."""

    user_id: int
    generation: int
    """The user's token generation at the time of issue."""
    id: str
    """The ``jti``."""


class Tokens:
    """Issues and reads the tokens of one instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._known: tuple[str, ...] = ()
        self._looked = 0.0
        self._lifetime = timedelta(days=instance.settings[TOKEN_DAYS])
        if trouble := missing_secrets(instance):
            raise StartError(trouble)

    @property
    def _secrets(self) -> tuple[str, ...]:
        """Read at first use, because the file may not exist before, and when the file changes."""
        if self._known and self._instance.settings[SECRETS]:
            return self._known
        now = time.monotonic()
        if not self._known or now - self._looked >= FILE_OBEYED_AFTER:
            self._known, self._looked = self._read_again(), now
        return self._known

    def _read_again(self) -> tuple[str, ...]:
        try:
            return read_secrets(self._instance)
        except StartError as error:
            if not self._known:
                raise
            logger.warning("The former secrets stay in force: %s", error)
            return self._known

    def expiry(self, issued: datetime) -> datetime:
        """Return the time from which a token that is issued at a time is invalid."""
        return (issued + self._lifetime).replace(microsecond=0)

    def issue(
        self, user_id: int, username: str, generation: int, now: datetime | None = None
    ) -> str:
        """Return a new token for a user of this token generation.

        :param now: the time of the issue; by default the present one.
        """
        # Imported late: it doubles the start-up time of commands, most of which need no token.
        import jwt

        now = now or utcnow()
        claims = {
            "sub": str(user_id),
            "username": username,
            "iat": int(now.timestamp()),
            "exp": int(self.expiry(now).timestamp()),
            "jti": secrets.token_urlsafe(16),
            "gen": generation,
        }
        return jwt.encode(claims, self._secrets[0], ALGORITHM)

    def fingerprint(self, text: str) -> str:
        """Return a short keyed hash, which identifies a text without revealing it.

        It is an HMAC (RFC 2104) cut to 64 bits, equal in all processes with the same first secret.
        """
        return hmac.new(self._secrets[0].encode(), text.encode(), "sha256").hexdigest()[:16]

    def sign(self, purpose: str, text: str) -> str:
        """Return a signature of a text: 43 characters that are safe in a URL.

        :param purpose: the use of the signature, such as ``auth.reset``; it is invalid for any
            other purpose, and neither is it a login token nor the reverse.
        """
        return _signature(self._secrets[0], purpose, text)

    def has_signed(self, purpose: str, text: str, signature: str) -> bool:
        """Whether :meth:`sign` made a signature, with any of the secrets in force."""
        given = signature.encode()
        return any(
            hmac.compare_digest(given, _signature(secret, purpose, text).encode())
            for secret in self._secrets
        )

    def read(self, token: str) -> Claims | None:
        """Return the claims of a token; None where it is forged, expired, early or malformed.

        It is valid until ``exp``, but no longer than the current lifetime setting after ``iat``.
        """
        if len(token) > MAX_TOKEN_LENGTH:
            return None
        claims = self._verified(token)
        if claims is None or not _are_well_formed(claims):
            return None
        now = int(utcnow().timestamp())
        expires = min(claims["exp"], claims["iat"] + int(self._lifetime.total_seconds()))
        if not claims["iat"] - int(CLOCK_SKEW.total_seconds()) <= now < expires:
            return None
        return Claims(int(claims["sub"]), claims["gen"], claims["jti"])

    def _verified(self, token: str) -> dict[str, Any] | None:
        import jwt

        # Times are checked against Masthead's own clock.
        options: Options = {"verify_exp": False, "verify_iat": False}
        for secret in self._secrets:
            try:
                return jwt.decode(token, secret, [ALGORITHM], options)
            except (jwt.InvalidTokenError, ValueError, RecursionError):
                continue
        return None


def missing_secrets(instance: Instance) -> str | None:
    """Return the remedy if the secrets must be set, because several machines share them."""
    if instance.settings[SECRETS] or instance.database.dialect != "postgresql":
        return None
    return (
        f"{SECRETS.name} must be set where the database is PostgreSQL; openssl rand -hex 32 prints"
        " a value"
    )


def secret_file(instance: Instance) -> Path:
    """Return the path of the secret for an instance without ``masthead.auth.secrets``."""
    return instance.data / "auth.secret"


def read_secrets(instance: Instance) -> tuple[str, ...]:
    """Return the secrets of the settings, or else those of the file.

    :raises StartError: where the file is missing or holds no secret that can be used.
    """
    if instance.settings[SECRETS]:
        return instance.settings[SECRETS]
    file = secret_file(instance)
    try:
        lines = file.read_text("ascii").splitlines()
        found = strong_secrets(" ".join(line for line in lines if not line.startswith("#")))
    except (OSError, ValueError) as error:
        raise StartError(f"{file} holds no secret that can be used: {error}") from None
    if not found:
        raise StartError(f"{file} is empty")
    return found


def derived_keys(instance: Instance, purpose: str) -> tuple[bytes, ...]:
    """Return keys of 32 bytes for a purpose, derived from the secrets that sign tokens.

    The first key is for new values; the others are those of former secrets.

    :param purpose: the use of the keys, such as ``oidc.ticket``; others have other keys.
    :raises StartError: where no secret can be used.
    """
    return tuple(
        hmac.digest(secret.encode(), f"key\0{purpose}".encode(), "sha256")
        for secret in read_secrets(instance)
    )


def secrets_trouble(instance: Instance) -> str | None:
    """Return why no token can be signed; None where the secrets can be used."""
    if trouble := missing_secrets(instance):
        return trouble
    try:
        read_secrets(instance)
    except StartError:
        file = secret_file(instance)
        made = "holds none that can be used" if file.exists() else "is missing"
        return f"{file.name} {made}; masthead db upgrade makes one or says what is wrong"
    return None


def age_trouble(instance: Instance) -> str | None:
    """Return the age of the file with the secret if it is old; settings have no age."""
    file = secret_file(instance)
    if instance.settings[SECRETS] or not file.exists():
        return None
    days = int((utcnow().timestamp() - file.stat().st_mtime) / 86_400)
    return f"the secret in {file.name} is {days} days old" if days > _OLD_DAYS else None


def _signature(secret: str, purpose: str, text: str) -> str:
    # No part of a JWT contains a NUL, so no signature of a text is one of a JWT.
    mac = hmac.digest(secret.encode(), f"{purpose}\0{text}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def _is_weak(secret: str) -> bool:
    return (
        len(secret.encode()) < MIN_SECRET_BYTES
        or len(set(secret)) < 5
        or bool(_SAMPLE.search(secret.lower()))
    )


def _are_well_formed(claims: dict[str, Any]) -> bool:
    numbers = [claims.get(name) for name in ("iat", "exp", "gen")]
    subject, token_id = claims.get("sub"), claims.get("jti")
    return (
        all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        and isinstance(token_id, str)
        and isinstance(subject, str)
        and subject.isascii()
        and subject.isdigit()
        and len(subject) < 19
    )
