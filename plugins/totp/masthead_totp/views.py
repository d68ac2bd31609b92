"""The endpoints of the second step."""

from __future__ import annotations

from typing import Any

from masthead import (
    PUBLIC,
    SIGNED_IN,
    SUCCESS,
    Request,
    User,
    endpoint,
    organisation_of,
    verify_own_password,
)
from masthead_totp import schemas, services
from masthead_totp.codes import address_of
from masthead_totp.login import is_required

_PATH = "/api/auth/totp"


@endpoint("GET", _PATH, name="totp.show", permission=SIGNED_IN, returns=schemas.STATE)
def show_state(request: Request) -> Any:
    """Show whether your logins need a code of an authenticator app."""
    user_id = request.identity.id
    state = services.read_state(request.db, user_id)
    user = request.db.get_one(User, user_id)
    return {
        "enabled": state.confirmed_at is not None,
        "required": is_required(request.db, tuple(role.name for role in user.roles)),
        "confirmedAt": state.confirmed_at,
        "recoveryCodes": state.recovery_codes,
    }


@endpoint(
    "POST",
    _PATH,
    name="totp.set_up",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.PASSWORD,
    returns=schemas.SETUP,
    refuses=frozenset({404, 429}),
    pool="passwords",
)
def set_up(request: Request) -> Any:
    """Begin to set up an authenticator app.

    Show the address as a QR code and the recovery codes to keep, then confirm the app by its first
    code. Until then, logins need no code.
    """
    verify_own_password(request, request.data["currentPassword"])
    return _described(request, services.begin_setup(request.db, request.identity.id))


@endpoint(
    "POST",
    f"{_PATH}/confirm",
    name="totp.confirm",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.CODE,
    returns=SUCCESS,
    refuses=frozenset({429}),
)
def confirm(request: Request) -> Any:
    """Confirm the app by its first code: logins need a code from then on."""
    services.confirm_setup(request.db, request.identity.id, request.data["code"])
    return {"success": True}


@endpoint(
    "POST",
    f"{_PATH}/setup",
    name="totp.set_up_by_token",
    permission=PUBLIC,
    body=schemas.SETUP_TOKEN,
    returns=schemas.SETUP,
)
def set_up_by_token(request: Request) -> Any:
    """Begin to set up the app without which the user can't log in.

    The token is the `stepToken` of the answer to a login with the step `totp-setup`. Then send the
    login again with the first code of the app, which confirms it.
    """
    setup = services.begin_setup_by_token(request.db, request.data["token"])
    return _described(request, setup)


@endpoint(
    "POST",
    f"{_PATH}/recovery-codes",
    name="totp.renew_recovery_codes",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.PROOF,
    returns=schemas.CODES,
    refuses=frozenset({404, 429}),
    pool="passwords",
)
def renew_recovery_codes(request: Request) -> Any:
    """Replace the recovery codes."""
    verify_own_password(request, request.data["currentPassword"])
    code = request.data["code"]
    codes = services.renew_recovery_codes(request.db, request.identity.id, code)
    return {"recoveryCodes": codes}


@endpoint(
    "POST",
    f"{_PATH}/remove",
    name="totp.remove",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.PROOF,
    returns=SUCCESS,
    refuses=frozenset({404, 429}),
    pool="passwords",
)
def remove(request: Request) -> Any:
    """Remove the app: logins need no code from then on, unless a role needs one."""
    verify_own_password(request, request.data["currentPassword"])
    services.remove(request.db, request.identity.id, request.data["code"])
    return {"success": True}


@endpoint(
    "POST",
    "/api/staff/users/{id}/totp/reset",
    name="totp.reset",
    permission="admin",
    needs_login=True,
    returns=SUCCESS,
)
def reset(request: Request) -> Any:
    """Remove the authenticator app and the recovery codes of a user who has lost both."""
    services.reset(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}


def _described(request: Request, setup: services.Setup) -> dict[str, Any]:
    issuer = organisation_of(request.db).name or "Masthead"
    return {
        "secret": setup.secret,
        "uri": address_of(setup.secret, setup.user.username, issuer),
        "recoveryCodes": setup.recovery_codes,
    }
