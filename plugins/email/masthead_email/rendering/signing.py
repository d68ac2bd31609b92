"""DKIM signatures (RFC 6376, RFC 8463), and the key that makes them."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import dkim
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from masthead import Instance, StartError
from masthead_email.settings import DKIM_DOMAIN, DKIM_KEY, DKIM_SELECTOR, ED25519, RSA

_RSA_BITS = 2048
_MIN_RSA_BITS = 1024
_MAX_STRING = 255
"""The maximum length of one string of a TXT record."""
_UNIQUE = (b"from", b"to", b"reply-to", b"subject", b"date", b"message-id")
"""The fields that are signed once more than they occur, so that nobody can add another one."""
_SIGNED = (
    *(_UNIQUE * 2),
    *(b"auto-submitted", b"list-unsubscribe", b"list-unsubscribe-post"),
    *(b"mime-version", b"content-type", b"content-transfer-encoding"),
)

Key = RSAPrivateKey | Ed25519PrivateKey


@dataclass(frozen=True)
class Signer:
    """Signs messages for a domain.

    :param key: the private key.
    """

    domain: str
    selector: str
    key: Key

    @property
    def kind(self) -> str:
        """``rsa`` or ``ed25519``."""
        return RSA if isinstance(self.key, RSAPrivateKey) else ED25519

    @cached_property
    def _key_of_dkimpy(self) -> bytes:
        """The key in the form that dkimpy reads."""
        if isinstance(self.key, RSAPrivateKey):
            form = PrivateFormat.TraditionalOpenSSL
            return self.key.private_bytes(Encoding.PEM, form, NoEncryption())
        return base64.b64encode(self.key.private_bytes_raw())

    @property
    def record_name(self) -> str:
        """The name of the TXT record with the public key."""
        return f"{self.selector}._domainkey.{self.domain}"

    @property
    def record(self) -> str:
        """The text of the TXT record."""
        public = self.key.public_key()
        if isinstance(self.key, RSAPrivateKey):
            octets = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        else:
            octets = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return f"v=DKIM1; k={self.kind}; p={base64.b64encode(octets).decode()}"

    @property
    def zone_line(self) -> str:
        """The record as a line of a zone file, in strings of the permitted length."""
        text = self.record
        strings = [text[at : at + _MAX_STRING] for at in range(0, len(text), _MAX_STRING)]
        return f"{self.record_name}. TXT " + " ".join(f'"{each}"' for each in strings)

    def sign(self, content: bytes) -> bytes:
        """Return the complete message with a signature before its header."""
        signature: bytes = dkim.sign(
            content,
            self.selector.encode(),
            self.domain.encode(),
            self._key_of_dkimpy,
            canonicalize=(b"relaxed", b"relaxed"),
            signature_algorithm=f"{self.kind}-sha256".encode(),
            include_headers=_SIGNED,
        )
        return signature + content


def read_signer(instance: Instance, file: str) -> Signer:
    """Return the signer with the key of a file.

    :raises StartError: if a setting is missing or the key is unusable.
    """
    try:
        key = load_pem_private_key(Path(file).read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise StartError(f"{DKIM_KEY.name}: {file} can't be used: {_reason(error)}") from None
    return _signer(instance, key)


def make_signer(instance: Instance, kind: str) -> Signer:
    """Make a key, write it to the file that the setting names, and return its signer.

    :param kind: ``rsa`` or ``ed25519``.
    :raises StartError: if a setting is missing, or the file exists or can't be written.
    """
    file = instance.settings[DKIM_KEY]
    if not file:
        raise StartError(f"{DKIM_KEY.name}: expected the name of a file")
    key = generate_private_key(65_537, _RSA_BITS) if kind == RSA else Ed25519PrivateKey.generate()
    signer = _signer(instance, key)
    octets = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise StartError(f"{DKIM_KEY.name}: {file}: {_reason(error)}") from None
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(octets)
    return signer


def _signer(instance: Instance, key: object) -> Signer:
    for setting in (DKIM_DOMAIN, DKIM_SELECTOR):
        if not instance.settings[setting]:
            raise StartError(f"{setting.name}: {DKIM_KEY.name} needs it")
    if not isinstance(key, RSAPrivateKey | Ed25519PrivateKey):
        raise StartError(f"{DKIM_KEY.name}: expected an RSA or Ed25519 key")
    if isinstance(key, RSAPrivateKey) and key.key_size < _MIN_RSA_BITS:
        raise StartError(f"{DKIM_KEY.name}: an RSA key needs at least {_MIN_RSA_BITS} bits")
    return Signer(instance.settings[DKIM_DOMAIN], instance.settings[DKIM_SELECTOR], key)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
