"""Letting users back in who forgot their password, for plugins that can reach them."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead.auth.services.admins import keeping_an_admin
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.errors import Refused


def replace_password(session: Session, user_id: int, hashed: str, generation: int) -> None:
    """Give a user another password, which ends all their tokens.

    :param sealed: what is stored for it (``hash_password``).
    :param generation: the user's when they proved who they are.
    :raises NotFound: where there is no such user any more.
    :raises Refused: where the user is disabled, or the password has been changed since.
    """
    # Who changes a user takes this lock before the row: the other way round, each waits for ever.
    with keeping_an_admin(session):
        user = get_user(session, user_id, for_update=True)
        if user.disabled or user.generation != generation:
            raise Refused("The password has been changed since")
        update_user(session, user_id, {}, user_id, HashedPassword(hashed, generation=generation))
