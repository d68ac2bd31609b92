"""What endpoints ask for follows from their address, so that none is open by mistake."""

from __future__ import annotations

from collections.abc import Sequence

from masthead import Approvable, ContentType, Endpoint
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN

OPEN = {
    "/api/auth/login",
    "/api/auth/logout",
    "/api/auth/forgot-password",
    "/api/auth/reset-password",
}
"""What who has no token needs of the addresses that are otherwise closed."""
OWN = ("/api/auth/", "/api/staff/profile", "/api/staff/notifications")
"""What is everybody's own."""
MOVES = "/api/staff/approval/"
"""Whose power depends on the item: the service decides."""
ADMINS = ("users", "roles", "audit-log", "approval-config")


def test_staff_endpoints_are_closed_and_others_open(endpoints: Sequence[Endpoint]) -> None:
    for endpoint in endpoints:
        closed = endpoint.path.startswith(("/api/staff/", "/api/auth/"))
        is_open = not closed or endpoint.path in OPEN

        assert (endpoint.permission == PUBLIC) == is_open, endpoint.name


def test_a_token_alone_opens_what_is_ones_own(closed: Sequence[Endpoint]) -> None:
    for endpoint in closed:
        own = endpoint.path.startswith((*OWN, MOVES))

        assert (endpoint.permission == SIGNED_IN) == own, endpoint.name


def test_reading_asks_for_read_and_all_else_for_write(guarded: Sequence[Endpoint]) -> None:
    for endpoint in guarded:
        section = endpoint.path.split("/")[3]
        power = "read" if endpoint.method == "GET" else "write"

        if section in ADMINS:
            assert endpoint.permission == ADMIN, endpoint.name
        else:
            assert endpoint.permission.endswith(f".{power}"), endpoint.name


def test_content_is_guarded_by_its_own_area(
    guarded: Sequence[Endpoint], approvables: Sequence[Approvable]
) -> None:
    for kind in approvables:
        own = [e for e in guarded if f"{e.path}/".startswith(f"/api/staff/{kind.name}/")]

        assert {e.permission for e in own} == {kind.read_permission, kind.write_permission}
        if isinstance(kind, ContentType):
            assert len(own) >= 7
