"""How staff who forgot their password get back in."""

from __future__ import annotations

from typing import Any

from masthead import (
    PUBLIC,
    SUCCESS,
    Bool,
    Endpoint,
    NewPassword,
    Setting,
    Str,
    hookimpl,
    required,
    schema,
)
from masthead_email.accounts import views
from masthead_email.accounts.settings import RESET_PATH


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Where a new password is chosen."""
    return [RESET_PATH]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Asking for a link, and using it."""
    return [
        Endpoint(
            name="auth.forgot_password",
            method="POST",
            path="/api/auth/forgot-password",
            view=views.forgot_password,
            permission=PUBLIC,
            summary="Mail a link to who forgot their password",
            returns=schema({"success": required(Bool()), "message": required(Str())}),
            body=schema({"username": required(Str())}),
        ),
        Endpoint(
            name="auth.reset_password",
            method="POST",
            path="/api/auth/reset-password",
            view=views.reset_password,
            permission=PUBLIC,
            summary="Choose a new password by the token of such a link",
            returns=SUCCESS,
            body=schema({"token": required(Str()), "newPassword": required(NewPassword())}),
        ),
    ]
