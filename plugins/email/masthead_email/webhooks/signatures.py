"""Signatures by public keys; loaded at the first webhook, because cryptography is large."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256, HashAlgorithm
from cryptography.hazmat.primitives.serialization import load_der_public_key
from cryptography.x509 import load_pem_x509_certificate

_HASHES: Mapping[str, type[HashAlgorithm]] = {"1": SHA1, "2": SHA256}
"""The hash algorithms by the version of SNS signatures."""


def elliptic_key(key: str) -> ec.EllipticCurvePublicKey:
    """Parse a public key in base64.

    :raises ValueError: for something else.
    """
    try:
        public = load_der_public_key(base64.b64decode(key, validate=True))
    except TypeError as error:
        raise ValueError(str(error)) from None
    if not isinstance(public, ec.EllipticCurvePublicKey):
        raise ValueError("no key of an elliptic curve")
    return public


def is_signed_by_key(signed: bytes, signature: str, key: str) -> bool:
    """Whether an ECDSA signature in base64 belongs to bytes and a public key in base64."""
    try:
        octets = base64.b64decode(signature, validate=True)
        elliptic_key(key).verify(octets, signed, ec.ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


def is_signed_by_certificate(
    signed: bytes, signature: str, certificate: bytes, version: str
) -> bool:
    """Whether an RSA signature in base64 belongs to bytes and a certificate.

    :param version: of the signature: "1" or "2".
    """
    try:
        key = load_pem_x509_certificate(certificate).public_key()
        octets = base64.b64decode(signature, validate=True)
        if not isinstance(key, rsa.RSAPublicKey):
            return False
        key.verify(octets, signed, padding.PKCS1v15(), _HASHES[version]())
    except (ValueError, InvalidSignature):
        return False
    return True
