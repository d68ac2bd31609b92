"""The algorithms of signatures by a private key (RFC 7518, RFC 9864)."""

from __future__ import annotations

# With HS256, everybody who knows a public key could sign.
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
    *("Ed25519", "EdDSA"),
)
OF_KINDS = {
    "RSA": "RS256",
    "P-256": "ES256",
    "P-384": "ES384",
    "P-521": "ES512",
    "Ed25519": "EdDSA",
}
"""The algorithm for each kind of key, or its curve, that all providers know."""
