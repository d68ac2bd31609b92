"""The check of a code, with a limit of its own on wrong ones."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session

from masthead import Refused, TooMany, instance_of, record, unseal, utcnow
from masthead_totp.codes import matching_step, recovery_digest
from masthead_totp.models import SECRET, Enrolment, RecoveryCode

_AT_ONCE = 5
"""The number of wrong codes after which further ones are refused for a while."""
_FIRST_PAUSE = timedelta(minutes=15)
_LONGEST_PAUSE = timedelta(hours=24)


def accepts(session: Session, enrolment: Enrolment, code: str) -> bool:
    """Whether a code of the app or a recovery code is correct, which uses it up.

    A wrong one is counted. After five, codes of the app are refused for 15 minutes, after each
    further five for twice as long, up to a day. A recovery code can't be guessed and isn't limited.

    :param enrolment: a locked row.
    :raises TooMany: with the seconds until the next attempt.
    :raises Refused: for a code of an app whose secret can't be decrypted.
    """
    if (digest := recovery_digest(code)) is not None:
        return _use_recovery_code(session, enrolment, digest)
    now = utcnow()
    if enrolment.locked_until is not None and now < enrolment.locked_until:
        left = enrolment.locked_until - now
        raise TooMany("Too many wrong codes", int(left.total_seconds()) + 1)
    secret = unseal(instance_of(session), SECRET, enrolment.sealed_secret or "")
    if secret is None:
        message = "The authenticator app can't be checked any more; use a recovery code, or ask"
        raise Refused(f"{message} an administrator to reset it")
    step = matching_step(secret, code, enrolment.last_step, now.timestamp())
    if step is None:
        _count_failure(enrolment)
        return False
    enrolment.last_step, enrolment.failures, enrolment.locked_until = step, 0, None
    return True


def _use_recovery_code(session: Session, enrolment: Enrolment, digest: str) -> bool:
    # The codes count once the app is confirmed.
    if enrolment.confirmed_at is None:
        return False
    own = (RecoveryCode.user_id == enrolment.user_id, RecoveryCode.digest == digest)
    if session.scalar(delete(RecoveryCode).where(*own).returning(RecoveryCode.id)) is None:
        return False
    user_id = enrolment.user_id
    record(session, "totp.recovery-code", user_id, "user", content_id=user_id)
    return True


def _count_failure(enrolment: Enrolment) -> None:
    enrolment.failures += 1
    rounds, rest = divmod(enrolment.failures, _AT_ONCE)
    if rest == 0:
        pause = min(_FIRST_PAUSE * 2 ** min(rounds - 1, 10), _LONGEST_PAUSE)
        enrolment.locked_until = utcnow() + pause
