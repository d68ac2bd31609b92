"""Codes of authenticator apps as the second step of logins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import pyotp
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from masthead import Instance, Plugin, User, revoke_credentials
from masthead.cli.first_start import prepare
from masthead.testing import Client, Clock
from masthead.testing.accounts import PASSWORD
from masthead_totp.diagnosis import roles_trouble
from masthead_totp.models import Enrolment, RecoveryCode
from masthead_totp.plugin import masthead_restored
from masthead_totp.plugin import plugin as totp

MakeUser = Callable[..., User]
TOTP = "/api/auth/totp"


@pytest.fixture
def plugins() -> list[Plugin]:
    return [totp]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.totp.required": "Admin edtor"}


class App:
    """The authenticator app of a user, at the time of the tests' clock."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self.secret = secret
        self._app = pyotp.TOTP(secret)
        self._clock = clock

    def code(self, steps: int = 0) -> str:
        return self._app.at(self._clock.now(), counter_offset=steps)


Enrol = Callable[[User], tuple[App, list[str]]]


@pytest.fixture
def log_in(app: Client) -> Callable[..., Any]:
    def send(user: User, status: int = 200, **code: str) -> Any:
        body = {"username": user.username, "password": PASSWORD, **code}
        return app.post_json("/api/auth/login", body, status=status)

    return send


@pytest.fixture
def enrol(app: Client, clock: Clock) -> Enrol:
    """Sets up and confirms the app of a user; returns it and the recovery codes."""

    def set_up(user: User) -> tuple[App, list[str]]:
        client = app.as_user(user)
        setup = client.post_json(TOTP, {"currentPassword": PASSWORD}).json
        own = App(setup["secret"], clock)
        client.post_json(f"{TOTP}/confirm", {"code": own.code()})
        clock.shift(seconds=60)
        return own, setup["recoveryCodes"]

    return set_up


def test_without_an_app_and_a_role_that_needs_it_nothing_changes(
    app: Client, make_user: MakeUser, log_in: Callable[..., Any]
) -> None:
    user = make_user(role="editor")

    assert log_in(user).json["token"]
    assert log_in(user, code="123456").json["token"]
    assert app.as_user(user).get(TOTP).json == {
        "enabled": False,
        "required": False,
        "confirmedAt": None,
        "recoveryCodes": 0,
    }


def test_an_app_counts_from_its_first_code(
    app: Client, clock: Clock, make_user: MakeUser, log_in: Callable[..., Any]
) -> None:
    user = make_user("Ada & Eve", role="editor")
    client = app.as_user(user)

    client.post_json(TOTP, {"currentPassword": "wrong password"}, status=400)
    setup = client.post_json(TOTP, {"currentPassword": PASSWORD}).json
    own = App(setup["secret"], clock)
    assert setup["uri"].startswith("otpauth://totp/")
    assert quote("Ada & Eve") in setup["uri"]
    log_in(user)
    client.post_json(f"{TOTP}/confirm", {"code": "000000"}, status=400)
    client.post_json(f"{TOTP}/confirm", {"code": own.code()})

    asked = log_in(user, 401).json
    assert (asked["code"], asked["step"]) == ("second_step_required", "totp")
    clock.shift(seconds=30)
    assert log_in(user, code=own.code()).json["user"]["id"] == user.id
    assert client.get(TOTP).json["recoveryCodes"] == 10
    client.post_json(TOTP, {"currentPassword": PASSWORD}, status=400)


def test_a_code_works_once_and_may_be_a_step_off(
    make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    own, _ = enrol(user := make_user(role="editor"))

    late = own.code(-1)
    log_in(user, 401, code=own.code(2))
    log_in(user, code=late)
    log_in(user, code=own.code())
    log_in(user, code=own.code(1))
    for used in (late, own.code(), own.code(1)):
        assert log_in(user, 401, code=used).json == {"error": "The code is not correct"}


def test_wrong_codes_are_limited_without_a_throttle(
    clock: Clock, make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    own, codes = enrol(user := make_user(role="editor"))

    for _ in range(5):
        log_in(user, 401, code="000000")
    assert log_in(user, 429, code=own.code()).headers["Retry-After"] == "901"
    assert log_in(user, code=codes[0]).json["token"]
    clock.shift(minutes=15)
    for _ in range(5):
        log_in(user, 401, code="000000")
    assert log_in(user, 429, code=own.code()).headers["Retry-After"] == "1801"
    clock.shift(minutes=30)
    log_in(user, code=own.code())


def test_each_recovery_code_works_once(
    app: Client, make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    own, codes = enrol(user := make_user(role="editor"))

    log_in(user, code=codes[3].lower().replace("-", " "))
    log_in(user, 401, code=codes[3])
    proof = {"currentPassword": PASSWORD, "code": own.code()}
    fresh = app.as_user(user).post_json(f"{TOTP}/recovery-codes", proof).json["recoveryCodes"]
    log_in(user, 401, code=codes[4])
    log_in(user, code=fresh[0])


def test_a_user_of_a_role_that_needs_an_app_sets_it_up_at_the_login(
    app: Client, clock: Clock, make_user: MakeUser, log_in: Callable[..., Any]
) -> None:
    user = make_user(role="admin")

    asked = log_in(user, 401).json
    assert asked["step"] == "totp-setup"
    assert log_in(user, 401, code="123456").json["step"] == "totp-setup"
    app.post_json(f"{TOTP}/setup", {"token": asked["stepToken"]}, status=400)
    asked = log_in(user, 401).json
    setup = app.post_json(f"{TOTP}/setup", {"token": asked["stepToken"]}).json
    app.post_json(f"{TOTP}/setup", {"token": asked["stepToken"]}, status=400)
    log_in(user, 401, code=setup["recoveryCodes"][0])
    log_in(user, code=App(setup["secret"], clock).code())
    assert log_in(user, 401).json["step"] == "totp"
    log_in(user, code=setup["recoveryCodes"][0])


def test_an_app_is_removed_by_its_user_or_an_administrator(
    app: Client, make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    own, _ = enrol(user := make_user(role="editor"))
    client, admin = app.as_user(user), app.as_role("admin")
    reset = f"/api/staff/users/{user.id}/totp/reset"

    wrong = {"currentPassword": PASSWORD, "code": "000000"}
    client.post_json(f"{TOTP}/remove", wrong, status=400)
    client.post_json(f"{TOTP}/remove", {**wrong, "code": own.code()})
    log_in(user)
    enrol(user)
    client.post(reset, status=403)
    admin.post(reset)
    admin.post(reset, status=404)
    log_in(user)
    log = admin.get(f"/api/staff/audit-log?contentType=user&contentId={user.id}").json
    assert {"totp.enrol", "totp.remove", "totp.reset"} <= {each["action"] for each in log}


def test_a_user_with_another_holder_has_no_app(
    app: Client, instance: Instance, make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    enrol(user := make_user(role="editor"))
    own, _ = enrol(other := make_user(role="editor"))
    admin = app.as_role("admin")

    for _ in range(2):
        with instance.database.transaction() as session:
            revoke_credentials(session, user.id)

    log_in(user, 401)
    admin.put_json(f"/api/staff/users/{user.id}", {"password": PASSWORD})
    log_in(user)
    log_in(other, code=own.code())
    log = admin.get(f"/api/staff/audit-log?contentType=user&contentId={user.id}").json
    assert [each["action"] for each in log].count("totp.reset") == 1


def test_wrong_codes_of_a_signed_in_user_are_limited_too(
    app: Client, make_user: MakeUser, enrol: Enrol
) -> None:
    own, _ = enrol(user := make_user(role="editor"))
    client = app.as_user(user)
    proof = {"currentPassword": PASSWORD, "code": "000000"}

    for _ in range(5):
        client.post_json(f"{TOTP}/remove", proof, status=400)
    client.post_json(f"{TOTP}/remove", {**proof, "code": own.code()}, status=429)


def test_a_role_that_is_required_and_unknown_is_reported(instance: Instance) -> None:
    assert roles_trouble(instance) == "there is no role edtor"


def test_a_secret_is_encrypted_in_the_database(
    session: Session, make_user: MakeUser, log_in: Callable[..., Any], enrol: Enrol
) -> None:
    own, _ = enrol(user := make_user(role="editor"))

    stored = session.execute(text("SELECT * FROM totp_enrolment")).mappings().one()
    assert stored["secret"] is None
    assert own.secret not in str(dict(stored))
    log_in(user, code=own.code())


def test_existing_secrets_are_encrypted_by_the_upgrade(
    instance: Instance,
    session: Session,
    make_user: MakeUser,
    log_in: Callable[..., Any],
    enrol: Enrol,
) -> None:
    own, _ = enrol(user := make_user(role="editor"))
    with instance.database.transaction() as writing:
        writing.execute(update(Enrolment).values(plain_secret=own.secret, sealed_secret=None))

    prepare(instance)

    enrolment = session.get_one(Enrolment, user.id)
    assert enrolment.plain_secret is None
    log_in(user, code=own.code())


def test_a_new_setup_replaces_a_secret_that_is_not_encrypted_yet(
    app: Client,
    instance: Instance,
    make_user: MakeUser,
    log_in: Callable[..., Any],
    clock: Clock,
) -> None:
    client = app.as_user(user := make_user(role="editor"))
    former = client.post_json(TOTP, {"currentPassword": PASSWORD}).json["secret"]
    with instance.database.transaction() as writing:
        writing.execute(update(Enrolment).values(plain_secret=former, sealed_secret=None))
    own = App(client.post_json(TOTP, {"currentPassword": PASSWORD}).json["secret"], clock)

    prepare(instance)

    client.post_json(f"{TOTP}/confirm", {"code": own.code()})
    clock.shift(seconds=60)
    log_in(user, code=own.code())


def test_a_restore_deletes_recovery_codes_and_a_deleted_user_everything(
    app: Client, instance: Instance, make_user: MakeUser, enrol: Enrol
) -> None:
    enrol(user := make_user(role="editor"))

    with instance.database.transaction() as session:
        assert masthead_restored(session)
        assert session.scalar(select(func.count()).select_from(RecoveryCode)) == 0
    app.as_role("admin").delete(f"/api/staff/users/{user.id}")
    with instance.database.session(read_only=True) as session:
        found = session.get(Enrolment, user.id)
        assert found is None or session.get_one(User, user.id).disabled
