"""Login, logout, the token's user, and changes of the password."""

from __future__ import annotations

from typing import Any

from masthead.auth import passwords, schemas
from masthead.auth.issuing import (
    check_throttle,
    issue_token,
    record_failure,
    verify_own_password,
)
from masthead.auth.schemas import describe_user
from masthead.auth.services import logins
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.http.endpoints import endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.request import Request
from masthead.http.wire import error_response
from masthead.ports.login import PASSWORD
from masthead.schemas.schema import SUCCESS


@endpoint(
    "POST",
    "/api/auth/login",
    name="auth.login",
    permission=PUBLIC,
    body=schemas.LOGIN,
    returns=schemas.LOGGED_IN,
    refuses=frozenset({401, 429}),
    pool="passwords",
)
def log_in(request: Request) -> Any:
    """Log in by username or e-mail address and password.

    Send the token of the answer as `Authorization: Bearer <token>`. It ends with the setting
    `masthead.auth.token_days`, with a change of the password, and when the user is disabled. If a
    second step is needed, the answer is 401 with `code` and `step`; send the login again with the
    code of that step.
    """
    name, password = request.data["username"], request.data["password"]
    # Read outside the request's transaction: hashing must not hold SQLite's one write lock.
    with request.instance.database.session(read_only=True) as session:
        user = logins.find_user(session, name)
        check_throttle(request, session, name, user)
    if not logins.check_password(user, password) or user is None:
        # An answer, not an exception, because the record of the failure has to be committed.
        record_failure(request, name, user)
        return error_response(401, "Invalid credentials")
    if passwords.needs_rehash(user.password):
        logins.replace_hash(request.db, user, passwords.hash_password(password))
    code = request.data.get("code")
    return issue_token(request, user.id, PASSWORD, code=code, verified=user.generation)


@endpoint(
    "GET",
    "/api/auth/check",
    name="auth.check",
    permission=SIGNED_IN,
    returns=schemas.CHECKED,
)
def check_token(request: Request) -> Any:
    """Show the token's user and their current permissions."""
    user = get_user(request.db, request.identity.id)
    return {"user": describe_user(user, request.identity)}


@endpoint("POST", "/api/auth/logout", name="auth.logout", permission=PUBLIC, returns=SUCCESS)
def log_out(request: Request) -> Any:  # noqa: ARG001 - every view takes the request
    """Log out: the client discards its token.

    The server keeps no list of tokens, so a copy of the token stays valid until it ends.
    """
    return {"success": True}


@endpoint(
    "POST",
    "/api/auth/change-password",
    name="auth.change_password",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.PASSWORD_CHANGE,
    returns=SUCCESS,
    refuses=frozenset({404, 429}),
    pool="passwords",
)
def change_own_password(request: Request) -> Any:
    """Change the caller's password, which ends their other tokens."""
    current, new = request.data["currentPassword"], request.data["newPassword"]
    generation = verify_own_password(request, current)
    hashed = HashedPassword(passwords.hash_password(new), request.identity.token)
    caller_id = request.identity.id
    update_user(request.db, caller_id, {}, caller_id, hashed, verified=generation)
    return {"success": True}
