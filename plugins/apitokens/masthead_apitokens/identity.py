"""The identification of callers by API tokens."""

from __future__ import annotations

import logging
import re
import time
from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from masthead import Caller, Instance, Request, Unauthenticated, caller_of_user, utcnow
from masthead_apitokens.models import ApiToken
from masthead_apitokens.token_texts import PREFIX, digest_of, is_token

logger = logging.getLogger(__name__)

_HEADER = re.compile(rf"bearer +({PREFIX}[!-~]*) *", re.IGNORECASE)
_INVALID = "The API token is not valid"
_NOTE_EVERY = 60.0
"""The seconds between two notes of the use of a token, so that reads rarely write."""


class Uses:
    """The times at which this process has last noted the use of each token."""

    def __init__(self, _instance: Instance) -> None:
        self._noted: dict[int, float] = {}

    def is_due(self, token_id: int) -> bool:
        """Whether the use of a token is to be noted now."""
        now = time.monotonic()
        if now - self._noted.get(token_id, float("-inf")) < _NOTE_EVERY:
            return False
        self._noted[token_id] = now
        return True


def identify(request: Request) -> Caller | None:
    """Return the user of a request's API token; None for a request without one.

    :raises Unauthenticated: for an unknown, revoked or expired token, or a disabled user.
    """
    header = _HEADER.fullmatch(request.headers.get("Authorization", ""))
    if header is None:
        return None
    caller = _caller_of(request, header[1]) if is_token(header[1]) else None
    if caller is None:
        raise Unauthenticated(_INVALID)
    return caller


def _caller_of(request: Request, text: str) -> Caller | None:
    valid = select(
        ApiToken.id, ApiToken.name, ApiToken.user_id, ApiToken.permissions, ApiToken.approves
    ).where(ApiToken.digest == digest_of(text), ApiToken.expires_at > utcnow())
    with request.instance.database.read() as connection:
        token = connection.execute(valid).one_or_none()
    if token is None:
        return None
    caller = caller_of_user(
        request,
        token.user_id,
        permissions=token.permissions,
        approves=token.approves,
        credential=token.name,
    )
    if caller is not None and request.instance.shared(Uses).is_due(token.id):
        _note_use(request.instance, token.id)
    return caller


def _note_use(instance: Instance, token_id: int) -> None:
    """Store the time of the use; a request goes on without it if the database can't write."""
    now, database = utcnow(), instance.database
    if instance.maintenance.is_on():
        return
    noted = ApiToken.last_used_at > now - timedelta(seconds=_NOTE_EVERY)
    statement = update(ApiToken).where(ApiToken.id == token_id, noted.is_not(True))
    try:
        with database.transaction() as session:
            session.execute(statement.values(last_used_at=now))
    except (SQLAlchemyError, database.driver_error) as error:
        logger.warning("The use of API token %s isn't noted: %s", token_id, type(error).__name__)
