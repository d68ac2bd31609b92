"""Return paths, whose signed tags identify deliveries in bounces (VERP)."""

from __future__ import annotations

import hashlib
import hmac


def return_path(key: bytes, bounces: str, delivery_id: int) -> str:
    """Return the return path of a delivery, which identifies it in bounces (VERP).

    It is signed, so that a forged bounce can't suppress an address.
    """
    local, _, domain = bounces.rpartition("@")
    return f"{local}+{delivery_tag(key, delivery_id)}@{domain}"


def delivery_tag(key: bytes, delivery_id: int) -> str:
    """Return the signed name of a delivery."""
    return f"{delivery_id}-{_signature(key, delivery_id)}"


def parse_return_path(key: bytes, address: str) -> int | None:
    """Return the id of the delivery of a return path; None if the signature is invalid."""
    tag = address.rpartition("@")[0].rpartition("+")[2]
    number, _, signature = tag.partition("-")
    if not (number.isascii() and number.isdigit()) or len(number) > 18:
        return None
    valid = hmac.compare_digest(signature.lower().encode(), _signature(key, int(number)).encode())
    return int(number) if valid else None


def _signature(key: bytes, delivery_id: int) -> str:
    # Hexadecimal, because mail servers may change the case of an address.
    return hmac.new(key, f"bounce:{delivery_id}".encode(), hashlib.sha256).hexdigest()[:16]
