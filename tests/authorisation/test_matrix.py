"""Every closed endpoint, requested by every kind of caller."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jwt
import pytest

from masthead import Approvable, ContentType, Endpoint, Instance
from masthead.auth.models import Role, User
from masthead.auth.tokens import SECRETS
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.testing import Client, Desk
from masthead.testing.accounts import PASSWORD

pytestmark = pytest.mark.usefixtures("seeded")

DAY = 24 * 3600
USERS = {"core_user", "core_user_role", "core_content_version"}
MakeUser = Callable[..., User]
Digest = Callable[[], dict[str, str]]


class Callers:
    """Makes the headers of callers that have to be refused."""

    def __init__(self, app: Client, instance: Instance, make_user: MakeUser) -> None:
        self._app = app
        self._admin = app.as_role("admin")
        self._secret = instance.settings[SECRETS][0]
        self._make_user = make_user

    def without_a_token(self) -> dict[str, str]:
        return {}

    def with_an_empty_token(self) -> dict[str, str]:
        return {"Authorization": "Bearer "}

    def with_junk(self) -> dict[str, str]:
        return bearer("a.b.c")

    def with_another_scheme(self) -> dict[str, str]:
        token = self._app.as_user(self._somebody()).authorization[1]
        return {"Authorization": f"Basic {token}"}

    def with_an_expired_token(self) -> dict[str, str]:
        return self._forged(iat=now() - 7 * DAY - 60, exp=now() - 60)

    def with_a_token_that_never_expires(self) -> dict[str, str]:
        return self._forged(iat=now() - 8 * DAY, exp=now() + 999 * DAY)

    def with_a_token_signed_by_another_key(self) -> dict[str, str]:
        return self._forged(secret="another secret of thirty-two bytes or more")

    def with_an_unsigned_token(self) -> dict[str, str]:
        return self._forged(secret=None, algorithm="none")

    def with_a_token_of_another_algorithm(self) -> dict[str, str]:
        return self._forged(secret=self._secret * 2, algorithm="HS512")

    def with_a_token_of_nobody(self) -> dict[str, str]:
        return self._forged(sub="999")

    def with_a_token_from_before_a_password_change(self) -> dict[str, str]:
        user = self._somebody()
        old, current = self._app.as_user(user), self._app.as_user(user)
        body = {"currentPassword": PASSWORD, "newPassword": "another fine password"}
        current.post_json("/api/auth/change-password", body)
        return headers_of(old)

    def who_is_disabled(self) -> dict[str, str]:
        user = self._somebody()
        self._admin.put_json(f"/api/staff/users/{user.id}", {"disabled": True})
        return headers_of(self._app.as_user(user))

    def who_is_deleted_and_followed_by_another(self) -> dict[str, str]:
        user = self._somebody()
        gone = headers_of(self._app.as_user(user))
        self._admin.delete(f"/api/staff/users/{user.id}")
        self._somebody()
        return gone

    def _somebody(self) -> User:
        return self._make_user(role="admin")

    def _forged(self, *, algorithm: str = "HS256", **changes: Any) -> dict[str, str]:
        secret = changes.pop("secret", self._secret)
        user = self._somebody()
        claims = {
            "sub": str(user.id),
            "username": user.username,
            "iat": now(),
            "exp": now() + DAY,
            "jti": "forged",
            "gen": user.generation,
            **changes,
        }
        return bearer(jwt.encode(claims, secret, algorithm))


STRANGERS = [name for name in vars(Callers) if not name.startswith("_")]


def now() -> int:
    return int(time.time())


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def headers_of(client: Client) -> dict[str, str]:
    return bearer(client.authorization[1])


def refused(answers: Mapping[str, list[Any]], status: int) -> dict[str, list[int]]:
    """Return the endpoints that answered with another status."""
    got = {name: [answer.status_int for answer in each] for name, each in answers.items()}
    return {name: statuses for name, statuses in got.items() if set(statuses) != {status}}


def test_no_closed_endpoint_answers_a_stranger(
    app: Client,
    instance: Instance,
    make_user: MakeUser,
    closed: Sequence[Endpoint],
    send: Any,
    stored: Digest,
) -> None:
    callers = Callers(app, instance, make_user)
    headers = {name: getattr(callers, name)() for name in STRANGERS}
    before = stored()

    answers = {
        f"{endpoint.name} {name}": send(endpoint, given)
        for name, given in headers.items()
        for endpoint in closed
    }

    assert refused(answers, 401) == {}
    assert stored() == before


def test_a_token_is_enough_for_endpoints_without_a_permission(
    app: Client, make_user: MakeUser, closed: Sequence[Endpoint], send: Any
) -> None:
    headers = headers_of(app.as_user(make_user(role=None)))

    for endpoint in closed:
        if endpoint.permission == SIGNED_IN:
            statuses = {answer.status_int for answer in send(endpoint, headers, empty=True)}
            assert not statuses & {401, 403}, endpoint.name


def test_a_user_without_permissions_is_refused(
    app: Client, make_user: MakeUser, guarded: Sequence[Endpoint], send: Any, stored: Digest
) -> None:
    headers = headers_of(app.as_user(make_user(role=None)))
    before = stored()

    answers = {endpoint.name: send(endpoint, headers) for endpoint in guarded}

    assert refused(answers, 403) == {}
    assert stored() == before


def test_all_other_permissions_together_do_not_help(
    app: Client,
    make_role: Callable[..., Role],
    guarded: Sequence[Endpoint],
    grantable: Sequence[str],
    send: Any,
    stored: Digest,
) -> None:
    for permission in (*grantable, ADMIN):
        make_role(f"all but {permission}", *(name for name in grantable if name != permission))
    headers = {
        permission: headers_of(app.as_role(f"all but {permission}"))
        for permission in (*grantable, ADMIN)
    }
    before = stored()

    answers = {
        f"{e.name} {permission}": send(e, headers[permission])
        for e in guarded
        for permission in e.permissions
    }

    assert refused(answers, 403) == {}
    assert stored() == before


def test_the_permissions_of_an_endpoint_are_enough(
    app: Client,
    make_role: Callable[..., Role],
    guarded: Sequence[Endpoint],
    send: Any,
) -> None:
    for permissions in {endpoint.permissions for endpoint in guarded}:
        make_role(f"only {permissions}", *permissions)

    for endpoint in guarded:
        for role in (f"only {endpoint.permissions}", "admin"):
            answers = send(endpoint, headers_of(app.as_role(role)), empty=True)
            statuses = {answer.status_int for answer in answers}
            assert not statuses & {401, 403}, (endpoint.name, role)


def test_every_permission_is_needed_by_an_endpoint(
    guarded: Sequence[Endpoint], grantable: Sequence[str], approvables: Sequence[Approvable]
) -> None:
    asked = {permission for endpoint in guarded for permission in endpoint.permissions}
    asked |= {kind.write_permission for kind in approvables}

    assert set(grantable) <= asked


def test_no_item_is_moved_by_callers_without_the_power(
    app: Client,
    make_user: MakeUser,
    make_role: Callable[..., Role],
    approvables: Sequence[Approvable],
    grantable: Sequence[str],
    stored: Digest,
) -> None:
    for kind in approvables:
        if not isinstance(kind, ContentType):
            continue
        desk = Desk(app, kind.name)
        items = {each["approvalStatus"]: each for each in desk.as_role("admin").list()}
        pending, published = items["pending"], items["approved"]
        others = [name for name in grantable if name != kind.write_permission]
        make_role(f"no {kind.name}", *others)
        make_role(f"all of {kind.name}", *grantable)
        before = stored()

        for user in (make_user(role=None), make_user(role=f"no {kind.name}")):
            desk.as_user(user).request(pending["id"], status=403)
            desk.as_user(user).withdraw(pending["id"], status=403)
        for role in (f"no {kind.name}", f"all of {kind.name}"):
            # No permission gives the power to approve, only the approval configuration does.
            desk.as_role(role).approve(pending["id"], status=403)
            desk.as_role(role).reject(pending["id"], status=403)
            for operation in ("approve", "reject"):
                assert desk.as_role(role).move_many(operation, [pending["id"]])["affected"] == 0
            desk.as_role(role).edit(published["id"], title="Another", live=True, status=403)
        after = stored()
        # Only the creation of the users changed tables.
        assert {name for name in after if after[name] != before[name]} <= USERS


def test_comments_and_reviewers_are_closed_to_those_who_may_not_read_or_write_the_type(
    app: Client,
    make_role: Callable[..., Role],
    approvables: Sequence[Approvable],
    grantable: Sequence[str],
    stored: Digest,
) -> None:
    for kind in approvables:
        # Some types share an area. Writing alone doesn't let anybody read.
        others = [name for name in grantable if name != kind.read_permission]
        make_role(f"not reading {kind.name}", *others)
        make_role(f"reading {kind.name}", kind.read_permission)
        stranger, reader = (
            app.as_role(f"{power} {kind.name}") for power in ("not reading", "reading")
        )
        before, path = stored(), f"/api/staff/comments/{kind.name}/1"

        stranger.get(path, status=403)
        stranger.post_json(path, {"text": "Hi"}, status=403)
        stranger.get(f"{path}/1", status=403)
        stranger.put_json(f"{path}/1", {"text": "Hi"}, status=403)
        stranger.delete(f"{path}/1", status=403)
        stranger.post_json(f"{path}/1/resolve", {}, status=403)
        reviewers = f"/api/staff/approval-reviewers/{kind.name}"
        reader.get(reviewers, status=403)

        assert stored() == before
