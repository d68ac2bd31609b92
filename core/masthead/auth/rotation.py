"""The rotation of the secrets that sign tokens, in steps that log nobody out."""

from __future__ import annotations

import os
import secrets
from datetime import timedelta
from pathlib import Path

from masthead.auth.sealed_columns import reseal_all
from masthead.auth.tokens import SECRETS, TOKEN_DAYS, read_secrets, secret_file
from masthead.db import utcnow
from masthead.errors import StartError
from masthead.instance import Instance

_ADDED = "# the last secret is new and doesn't sign yet"
_FORMER = "# all but the first secret are former ones"


def new_secret() -> str:
    """Return a new secret."""
    return secrets.token_hex(32)


def add_secret(instance: Instance) -> None:
    """Add a new secret behind the signing one in the file.

    :raises StartError: if the file holds several secrets already, or can't be used.
    """
    found = _secrets_of_file(instance)
    if len(found) > 1:
        raise StartError("there is a second secret already; let it sign, or drop it")
    _replace(secret_file(instance), _ADDED, *found, new_secret())


def sign_with_added(instance: Instance) -> None:
    """Make the added secret of the file the signing one.

    :raises StartError: if no secret was added.
    """
    found = _secrets_of_file(instance)
    if len(found) < 2 or not _says(secret_file(instance), _ADDED):
        raise StartError("no secret was added")
    _replace(secret_file(instance), _FORMER, found[-1], *found[:-1])


def drop_former(instance: Instance, *, now: bool) -> None:
    """Remove all secrets but the signing one from the file, once nothing is encrypted with them.

    :param now: whether to do so although tokens that a former secret has signed are valid.
    :raises StartError: if there is no former secret, or if its tokens are valid.
    """
    file = secret_file(instance)
    found = _secrets_of_file(instance)
    if len(found) < 2 or _says(file, _ADDED):
        raise StartError("there is no former secret")
    lifetime = timedelta(days=instance.settings[TOKEN_DAYS])
    left = file.stat().st_mtime + lifetime.total_seconds() - utcnow().timestamp()
    if left > 0 and not now:
        raise StartError(
            f"tokens of the former secret are valid for another {int(left / 3600) + 1} hours;"
            " --now drops it nevertheless and logs their users out"
        )
    with instance.database.transaction() as session:
        reseal_all(session)
    _replace(file, found[0])


def _secrets_of_file(instance: Instance) -> tuple[str, ...]:
    if instance.settings[SECRETS]:
        raise StartError(f"the secrets are in {SECRETS.name}, not in a file")
    return read_secrets(instance)


def _says(file: Path, line: str) -> bool:
    return line in file.read_text("ascii").splitlines()


def _replace(file: Path, *lines: str) -> None:
    """Replace the file at once, so that no process sees a part of it."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            # A command that root runs must not take the file away from the service.
            if hasattr(os, "fchown") and os.geteuid() == 0:
                former = file.stat()
                os.fchown(descriptor, former.st_uid, former.st_gid)
            stream.write("".join(f"{line}\n" for line in lines))
            stream.flush()
            os.fsync(descriptor)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
