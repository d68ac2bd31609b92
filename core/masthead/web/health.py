"""The health checks ``/healthz``, ``/readyz`` and ``/status``."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from masthead.db import migrate
from masthead.db.status import troubles
from masthead.errors import Refusal
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import ADMIN, PUBLIC
from masthead.http.request import Request
from masthead.instance import Check, Instance
from masthead.schemas.field_types import Anything, Choice
from masthead.schemas.schema import required, schema

logger = logging.getLogger(__name__)

_OK, _TROUBLE = "ok", "trouble"
_CHECK_SECONDS = 5.0
"""The time in which all checks together have to end."""
_TOO_SLOW = f"no result in {_CHECK_SECONDS:g} seconds"


class Unavailable(Refusal):
    """The instance can't serve requests now; the message says why."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the checks of core."""
    return [
        Check("database", database_trouble, remedy="see health in operations.md"),
        Check("migrations", migrations_trouble, remedy="masthead db upgrade"),
    ]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Declare the endpoints for supervisors and load balancers."""
    return [show_health, show_readiness, show_status]


@endpoint(
    "GET",
    "/healthz",
    name="core.healthz",
    permission=PUBLIC,
    keep=False,
    returns=schema({"status": required(Choice(_OK))}),
    pool="main",
)
def show_health(request: Request) -> dict[str, Any]:  # noqa: ARG001 - views take a request
    """Check whether the process answers."""
    return {"status": _OK}


@endpoint(
    "GET",
    "/readyz",
    name="core.readyz",
    permission=PUBLIC,
    keep=False,
    returns=schema({"status": required(Choice(_OK)), "checks": required(Anything())}),
    refuses=frozenset({Unavailable.status}),
    pool="readiness",
)
def show_readiness(request: Request) -> dict[str, Any]:
    """Check whether the instance is ready to serve."""
    troubles = request.instance.shared(Readiness).troubles()
    wrong = [f"{name}: {trouble}" for name, trouble in troubles.items() if trouble]
    if wrong:
        raise Unavailable("; ".join(wrong))
    return {"status": _OK, "checks": dict.fromkeys(troubles, _OK)}


@endpoint(
    "GET",
    "/status",
    name="core.status",
    permission=ADMIN,
    keep=False,
    returns=schema({"status": required(Choice(_OK, _TROUBLE)), "checks": required(Anything())}),
    pool="readiness",
)
def show_status(request: Request) -> dict[str, Any]:
    """Show the result of each check, also of those that don't concern requests, such as mail."""
    troubles = request.instance.shared(Status).troubles()
    return {
        "status": _TROUBLE if any(troubles.values()) else _OK,
        "checks": {name: trouble or _OK for name, trouble in troubles.items()},
    }


class Status:
    """Runs all checks of an instance in a thread of their own, and waits for them only briefly.

    A check may hang in a database that doesn't answer. Its thread then keeps running, and further
    requests for the readiness get the same result at once instead of starting more threads.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._checks = self._chosen(instance.checks)
        self._lock = threading.Lock()
        self._run: _Run | None = None

    def _chosen(self, checks: Sequence[Check]) -> Sequence[Check]:
        return checks

    def troubles(self) -> dict[str, str | None]:
        """Return the trouble of each check, by name; None for a check that passes."""
        with self._lock:
            run = self._run
            if run is None or run.ended.is_set():
                run = self._run = _Run(self._instance, self._checks)
        run.ended.wait(max(0.0, run.began + _CHECK_SECONDS - time.monotonic()))
        missing = dict.fromkeys((each.name for each in self._checks), _TOO_SLOW)
        return {**missing, **run.troubles}


class Readiness(Status):
    """Runs the checks that the readiness of an instance depends on."""

    def _chosen(self, checks: Sequence[Check]) -> Sequence[Check]:
        return [check for check in checks if check.readiness]


class _Run:
    """One run of checks, in a thread."""

    def __init__(self, instance: Instance, checks: Sequence[Check]) -> None:
        self.began = time.monotonic()
        self.ended = threading.Event()
        self.troubles: dict[str, str | None] = {}
        arguments = (instance, checks)
        threading.Thread(target=self._check, args=arguments, name="ready", daemon=True).start()

    def _check(self, instance: Instance, checks: Sequence[Check]) -> None:
        try:
            for check in checks:
                self.troubles[check.name] = _trouble(check, instance)
        finally:
            self.ended.set()


def database_trouble(instance: Instance) -> None:
    """Query the database; an exception counts as trouble."""
    with instance.database.read() as connection:
        connection.execute(text("SELECT 1"))


def migrations_trouble(instance: Instance) -> str | None:
    """Return a message if tables are older than the code, or a plugin is newer than core."""
    return troubles(migrate.status(instance.database, instance.plugins))


def _trouble(check: Check, instance: Instance) -> str | None:
    try:
        return check.trouble(instance)
    except SQLAlchemyError as error:
        logger.warning("The check %s failed: %s", check.name, error)
        return "the database can't be reached"
    # Checks are code of plugins, and an exception means that the check failed.
    except Exception:
        logger.exception("The check %s failed", check.name)
        return "can't be checked"
