"""An endpoint's permission follows from its address, so that none is open by mistake."""

from __future__ import annotations

from collections.abc import Sequence

from masthead import Approvable, ContentType, Endpoint
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN

OPEN = {
    "/api/auth/login",
    "/api/auth/logout",
    "/api/auth/forgot-password",
    "/api/auth/reset-password",
    "/api/auth/oidc",
    "/api/auth/oidc/login",
    "/api/auth/oidc/callback",
    "/api/auth/oidc/callback/{provider}",
    "/api/auth/oidc/token",
    "/api/auth/oidc/backchannel-logout",
    "/api/auth/totp/setup",
}
"""The endpoints that callers without a token need, among addresses that are closed."""
OWN = (
    "/api/auth/",
    "/api/staff/api-tokens",
    "/api/staff/profile",
    "/api/staff/notifications",
    "/api/staff/live-events",
)
"""The endpoints for a user's own data; those of live events check each permission themselves."""
MOVES = ("/api/staff/approval/", "/api/staff/approval-reviewers/", "/api/staff/comments/")
"""The endpoints whose power depends on the item; the service checks it."""
TYPES = ("/api/staff/types", "/api/staff/changes", "/api/staff/schedule")
"""The lists of kinds, of changes and of scheduled changes; they show a caller only types that
the caller may read."""
TRASH = "/api/staff/trash"
"""The endpoints of deleted items, whose power depends on the kind; the service checks it."""
PURGE = "trash.purge"
"""The endpoint that deletes for good, which needs a permission of its own beside it."""
ADMINS = ("users", "roles", "audit-log", "approval-config", "system", "oidc")
ADDRESSES = ("newsletter-subscribers", "compose-emails", "email")
"""The items with addresses of many people, which need a permission of their own."""

STATUS = "/status"
"""The results of all checks, at an address like those of the other checks of health."""
RECIPIENTS = "staff.newsletters.recipients"
"""The list of addresses below items that have none."""


def test_staff_endpoints_are_closed_and_others_open(endpoints: Sequence[Endpoint]) -> None:
    for endpoint in endpoints:
        closed = endpoint.path.startswith(("/api/staff/", "/api/auth/", STATUS))
        is_open = not closed or endpoint.path in OPEN

        assert (endpoint.permission == PUBLIC) == is_open, endpoint.name


def test_a_token_alone_opens_a_users_own_data(closed: Sequence[Endpoint]) -> None:
    for endpoint in closed:
        own = endpoint.path.startswith((*OWN, *MOVES, *TYPES, TRASH)) and endpoint.name != PURGE

        assert (endpoint.permission == SIGNED_IN) == own, endpoint.name


def test_reading_needs_the_read_permission_and_all_else_the_write_permission(
    guarded: Sequence[Endpoint],
) -> None:
    for endpoint in guarded:
        section = endpoint.path.removeprefix("/api/staff/").split("/")[0]
        power = "read" if endpoint.method == "GET" else "write"

        if section in ADMINS or endpoint.path == STATUS:
            assert endpoint.permission == ADMIN, endpoint.name
        elif endpoint.name == PURGE:
            assert endpoint.permissions == (PURGE,)
        elif endpoint.name == RECIPIENTS:
            assert endpoint.permissions == ("email.read", "email.addresses")
        elif section in ADDRESSES:
            written = () if power == "read" else ("email.write",)
            assert endpoint.permissions == (*written, "email.addresses"), endpoint.name
        else:
            [permission] = endpoint.permissions
            assert permission.endswith(f".{power}"), endpoint.name


def test_content_is_guarded_by_its_own_area(
    guarded: Sequence[Endpoint], approvables: Sequence[Approvable]
) -> None:
    for content_type in approvables:
        own = [e for e in guarded if f"{e.path}/".startswith(f"/api/staff/{content_type.name}/")]

        assert {e.permission for e in own} == {
            content_type.read_permission,
            content_type.write_permission,
        }
        if isinstance(content_type, ContentType):
            assert len(own) >= 7
