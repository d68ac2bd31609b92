"""The hooks that identify the caller of a request, judge logins and revoke credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from masthead.auth.caller import Caller
    from masthead.http.request import Request
    from masthead.ports.login import Login, SecondStep

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec(firstresult=True)
def masthead_identify(request: Request) -> Caller | None:
    """Called once in a request that needs its caller.

    :param request: the request, for its headers and cookies. Its transaction may not have begun;
        read in a session of its own, as ``masthead.caller_of_user`` does.
    :return: the caller, made by ``masthead.caller_of_user``; None for a request without a
        credential of the plugin, for which the next plugin is asked, and at last the login tokens
        of core.

    Raising ``Unauthenticated`` refuses a credential that is the plugin's own but invalid.
    """


@hookspec
def masthead_login(session: Session, login: Login) -> SecondStep | None:
    """Called after a person has proven to be a user, before the user gets a login token.

    :param session: the session of the request's transaction.
    :param login: the user, the method, and the code that the client has sent with it.
    :return: the step that is missing; None if the login may go on.

    Raising ``Unauthenticated`` for a wrong code, or ``Refused`` or ``TooMany``, refuses the login;
    the first refusal wins. The failure is recorded, and the transaction is committed with
    everything that implementations have written.
    """


@hookspec
def masthead_revoke_credentials(session: Session, user_id: int) -> None:
    """Called when a user gets another holder, who must not share the user with the former one.

    :param session: the session of the transaction.
    :param user_id: the id of the user.

    Delete everything of the plugin by which somebody is identified as the user or logs in as the
    user, and the second steps. Raising rolls the transaction back.
    """
