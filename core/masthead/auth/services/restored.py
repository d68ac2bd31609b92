"""The tokens of a database that was restored from a backup."""

from __future__ import annotations

import secrets

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from masthead.auth.models import RecoveryRequest, User


def end_all_tokens(session: Session) -> None:
    """Make all login tokens and links for new passwords invalid.

    Tokens that were revoked after the backup would be valid again. The number is random, so that
    later changes of a password don't lead to the generation of an old token.
    """
    generation = User.generation + secrets.randbelow(2**31) + 1
    session.execute(
        update(User)
        .values(generation=generation, kept_token=None)
        .execution_options(synchronize_session=False)
    )
    session.execute(delete(RecoveryRequest))
