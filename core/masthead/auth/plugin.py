"""How authentication joins in: settings, the permission ``admin``, endpoints, commands, a job."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead.auth import schemas
from masthead.auth.commands import user
from masthead.auth.services.logins import THROTTLE, forget_failures
from masthead.auth.setup import sync_grants
from masthead.auth.tokens import SECRETS, TOKEN_DAYS, secrets_trouble
from masthead.auth.views import login, profile, roles, users
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN, Permission
from masthead.instance import Check, instance_of
from masthead.schemas.schema import SUCCESS, ListOf, Object
from masthead.settings import Setting
from masthead.worker.jobs import Job

LOGIN_PATH = "/api/auth/login"


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """What logging in can be told."""
    return [SECRETS, TOKEN_DAYS, THROTTLE]


@hookimpl
def masthead_permissions() -> list[Permission]:
    """The permission that implies all others."""
    return [Permission(ADMIN, "Do everything.", editor=False)]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """``masthead user …``."""
    group.add_command(user)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Forget failed logins."""
    return [Job("auth.login-failures", timedelta(hours=6), forget_failures)]


@hookimpl
def masthead_checks() -> list[Check]:
    """What logging in needs."""
    return [Check("secrets", secrets_trouble)]


@hookimpl
def masthead_imported(session: Session) -> None:
    """Grant what is seen here for the first time, which the imported roles know nothing of."""
    sync_grants(session, instance_of(session))


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Logging in, the caller's profile, users and roles."""
    return [*_LOGIN, *_PROFILE, *_USERS, *_ROLES]


_LOGIN = [
    Endpoint(
        name="auth.login",
        method="POST",
        path=LOGIN_PATH,
        view=login.log_in,
        permission=PUBLIC,
        summary="Log in by username or e-mail address and password",
        body=schemas.LOGIN,
        returns=schemas.LOGGED_IN,
        refuses=frozenset({401, 429}),
    ),
    Endpoint(
        name="auth.check",
        method="GET",
        path="/api/auth/check",
        view=login.check_token,
        permission=SIGNED_IN,
        summary="Show whose token it is, and what they may do now",
        returns=schemas.CHECKED,
    ),
    Endpoint(
        name="auth.logout",
        method="POST",
        path="/api/auth/logout",
        view=login.log_out,
        permission=PUBLIC,
        summary="Log out: the client discards its token",
        returns=SUCCESS,
    ),
    Endpoint(
        name="auth.change_password",
        method="POST",
        path="/api/auth/change-password",
        view=login.change_own_password,
        permission=SIGNED_IN,
        summary="Change the caller's password, which ends their other tokens",
        body=schemas.PASSWORD_CHANGE,
        returns=SUCCESS,
        refuses=frozenset({404, 429}),
    ),
]
_PROFILE = [
    Endpoint(
        name="auth.show_profile",
        method="GET",
        path="/api/staff/profile",
        view=profile.show_profile,
        permission=SIGNED_IN,
        summary="Show the caller's profile",
        returns=schemas.PROFILE,
        refuses=frozenset({404}),
        failure="Failed to get profile",
    ),
    Endpoint(
        name="auth.update_profile",
        method="PUT",
        path="/api/staff/profile",
        view=profile.update_profile,
        permission=SIGNED_IN,
        summary="Change the caller's profile or password",
        body=schemas.PROFILE_CHANGE,
        returns=SUCCESS,
        refuses=frozenset({404, 429}),
        failure="Failed to update profile",
    ),
]
_USERS = [
    Endpoint(
        name="auth.list_users",
        method="GET",
        path="/api/staff/users",
        view=users.list_users,
        permission=ADMIN,
        summary="List the users by name",
        returns=ListOf(Object(schemas.USER)),
        page=MOST_ROWS,
    ),
    Endpoint(
        name="auth.create_user",
        method="POST",
        path="/api/staff/users",
        view=users.create_user,
        permission=ADMIN,
        summary="Create a user",
        body=schemas.NEW_USER,
        returns=schemas.USER,
    ),
    Endpoint(
        name="auth.show_user",
        method="GET",
        path="/api/staff/users/{id}",
        view=users.show_user,
        permission=ADMIN,
        summary="Show a user",
        returns=schemas.USER,
    ),
    Endpoint(
        name="auth.update_user",
        method="PUT",
        path="/api/staff/users/{id}",
        view=users.update_user,
        permission=ADMIN,
        summary="Change a user",
        body=schemas.USER_CHANGE,
        returns=schemas.USER,
    ),
    Endpoint(
        name="auth.remove_user",
        method="DELETE",
        path="/api/staff/users/{id}",
        view=users.remove_user,
        permission=ADMIN,
        summary="Delete a user, or disable one whom anything refers to",
        returns=SUCCESS,
        refuses=frozenset({400}),
    ),
]
_ROLES = [
    Endpoint(
        name="auth.list_roles",
        method="GET",
        path="/api/staff/roles",
        view=roles.list_roles,
        permission=ADMIN,
        summary="List the roles by name",
        returns=ListOf(Object(schemas.ROLE)),
        page=MOST_ROWS,
    ),
    Endpoint(
        name="auth.create_role",
        method="POST",
        path="/api/staff/roles",
        view=roles.create_role,
        permission=ADMIN,
        summary="Create a role",
        body=schemas.NEW_ROLE,
        returns=schemas.ROLE,
    ),
    Endpoint(
        name="auth.update_role",
        method="PUT",
        path="/api/staff/roles/{id}",
        view=roles.update_role,
        permission=ADMIN,
        summary="Change a role",
        body=schemas.ROLE_CHANGE,
        returns=schemas.ROLE,
    ),
    Endpoint(
        name="auth.delete_role",
        method="DELETE",
        path="/api/staff/roles/{id}",
        view=roles.delete_role,
        permission=ADMIN,
        summary="Delete a role that nobody holds",
        returns=SUCCESS,
        refuses=frozenset({400}),
    ),
]
