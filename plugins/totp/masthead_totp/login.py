"""The second step of a login."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import Login, SecondStep, Unauthenticated, fold, instance_of
from masthead_totp.checking import accepts
from masthead_totp.models import Enrolment
from masthead_totp.services import confirm, locked_enrolment, new_setup_token
from masthead_totp.settings import REQUIRED

STEP = "totp"
SETUP = "totp-setup"
"""The step of a user who has to set an app up first."""


def judge(session: Session, login: Login) -> SecondStep | None:
    """Return the step that a login by password lacks.

    A code that confirms a new app is the second step of the same login.

    :raises Unauthenticated: for a wrong code.
    :raises TooMany: after too many wrong codes.
    """
    if login.method != "password":
        return None
    enrolment = locked_enrolment(session, login.user_id)
    if enrolment is None or enrolment.confirmed_at is None:
        return _judge_without_app(session, login, enrolment)
    if login.code is None:
        return SecondStep(STEP, "A code of the authenticator app is required")
    if not accepts(session, enrolment, login.code):
        raise Unauthenticated("The code is not correct")
    return None


def _judge_without_app(
    session: Session, login: Login, enrolment: Enrolment | None
) -> SecondStep | None:
    """Let a user who needs no app in; let another one confirm a new app, or set it up."""
    if not is_required(session, login.roles):
        return None
    if login.code is None or enrolment is None or enrolment.sealed_secret is None:
        token = new_setup_token(session, login.user_id)
        return SecondStep(SETUP, "An authenticator app has to be set up", token)
    if not accepts(session, enrolment, login.code):
        raise Unauthenticated("The code is not correct")
    confirm(session, enrolment)
    return None


def is_required(session: Session, roles: tuple[str, ...]) -> bool:
    """Whether holders of some roles need an app."""
    required = {fold(name) for name in instance_of(session).settings[REQUIRED]}
    return any(fold(role) in required for role in roles)
