"""The signer of the settings, without loading what signs while nothing is signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead import Instance
from masthead_email.settings import DKIM_KEY, ED25519, RSA

if TYPE_CHECKING:
    from masthead_email.rendering.signing import Signer

KINDS = (RSA, ED25519)
"""The kinds of keys."""


def configured_signer(instance: Instance) -> Signer | None:
    """Return the signer that the settings describe; None if the relay signs.

    :raises StartError: if a setting is missing or the key is unusable.
    """
    file = instance.settings[DKIM_KEY]
    if not file:
        return None
    # Its libraries are large, and few instances sign.
    from masthead_email.rendering.signing import read_signer

    return read_signer(instance, file)


def new_signer(instance: Instance, kind: str) -> Signer:
    """Make a key, write it to the file that the setting names, and return its signer.

    :param kind: one of ``KINDS``.
    :raises StartError: if a setting is missing, or the file exists or can't be written.
    """
    from masthead_email.rendering.signing import make_signer

    return make_signer(instance, kind)
