"""The endpoints ``/healthz``, ``/readyz`` and ``/status``, and the checks behind them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from masthead.db.outage import one_line
from masthead.errors import RetryLater
from masthead.faults import in_plugin
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import ADMIN, PUBLIC
from masthead.http.request import Request
from masthead.instance import Check, Instance
from masthead.schemas.field_types import Anything, Bool, Choice
from masthead.schemas.schema import optional, required, schema
from masthead.settings import Setting, token
from masthead.web.checks import AWAY
from masthead.web.shared_run import SharedRun

logger = logging.getLogger(__name__)

STATUS_TOKEN = Setting(
    "masthead.status.token",
    token,
    "",
    "Token with which a monitor reads GET /status without a user, as Authorization: Bearer; blank"
    " means administrators only.",
    secret=True,
    shows=False,
)
_OK, _TROUBLE = "ok", "trouble"
STATUS = schema(
    {
        "status": required(Choice(_OK, _TROUBLE), help="Whether all checks have passed."),
        "checks": required(
            Anything(), help="The result of each check by name: `ok`, or the trouble."
        ),
        "remedies": required(Anything(), help="The remedy for each failed check, by name."),
    },
    name="Status",
    help="The results of all checks.",
)
_CHECK_SECONDS = 5.0
"""The time in which all checks together have to end."""
_TOO_SLOW = f"no result in {_CHECK_SECONDS:g} seconds"
_UNKNOWN = "can't be checked without the database"
_RETRY_AFTER = 5


class Unavailable(RetryLater):
    """The instance can't serve requests now; the message says why."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the setting of the status."""
    return [STATUS_TOKEN]


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
    returns=schema(
        {"status": required(Choice(_OK), help="The state of the process.")},
        name="Health",
        help="The process answers.",
    ),
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
    returns=schema(
        {
            "status": required(Choice(_OK), help="The state of the instance."),
            "checks": required(
                Anything(), help="The result of each check by name: `ok`, or the trouble."
            ),
        },
        name="Readiness",
        help="The instance can serve requests.",
    ),
    refuses=frozenset({Unavailable.status}),
    pool="readiness",
)
def show_readiness(request: Request) -> dict[str, Any]:
    """Check whether the instance is ready to serve."""
    readiness = request.instance.shared(Readiness)
    troubles = readiness.troubles()
    wrong = [f"{name}: {troubles[name]}" for name in readiness.causes(troubles)]
    if wrong:
        raise Unavailable("; ".join(wrong), _RETRY_AFTER)
    return {"status": _OK, "checks": {name: trouble or _OK for name, trouble in troubles.items()}}


@endpoint(
    "GET",
    "/status",
    name="core.status",
    permission=ADMIN,
    token=STATUS_TOKEN,
    keep=False,
    returns=STATUS,
    query=schema(
        {
            "deep": optional(
                Bool(),
                nullable=False,
                help="Whether to run all checks of `masthead doctor`, such as the proof that the"
                " public sees what was approved. One that takes longer than the answer may is shown"
                " by the next answer.",
            )
        }
    ),
    pool="status",
)
def show_status(request: Request) -> dict[str, Any]:
    """Show the result of each check, also of those that don't concern requests, such as mail.

    Failed checks have a remedy as well.
    """
    return status_of(request.instance, deep=bool(request.query.get("deep")))


def status_of(instance: Instance, *, deep: bool = False) -> dict[str, Any]:
    """Return the result of each check as :data:`STATUS`.

    :param deep: whether to run all checks of ``masthead doctor``.
    """
    troubles = instance.shared(DeepStatus if deep else Status).troubles()
    failed = [each for each in instance.all_checks if troubles.get(each.name)]
    remedies = {each.name: each.remedy_for(troubles[each.name] or "") for each in failed}
    return {
        "status": _TROUBLE if any(troubles.values()) else _OK,
        "checks": {name: trouble or _OK for name, trouble in troubles.items()},
        "remedies": {name: remedy for name, remedy in remedies.items() if remedy},
    }


class Status:
    """Runs all checks of an instance, once for all requests at the same time."""

    kept_seconds = 0.0
    """The time for which a result is used again."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._checks = self._chosen(instance)
        self._run = SharedRun("checks", self._check, _CHECK_SECONDS)

    def _chosen(self, instance: Instance) -> Sequence[Check]:
        return instance.checks

    def troubles(self) -> dict[str, str | None]:
        """Return the trouble of each check, by name; None for a check that passes."""
        late = dict.fromkeys((each.name for each in self._checks), _TOO_SLOW)
        return {**late, **self._run.results(self.kept_seconds)}

    def _check(self, troubles: dict[str, str | None]) -> None:
        for check in self._checks:
            troubles[check.name] = _trouble(check, self._instance)


class DeepStatus(Status):
    """Runs all checks of ``masthead doctor``, which may take longer than an answer waits."""

    kept_seconds = 60.0

    def _chosen(self, instance: Instance) -> Sequence[Check]:
        return [check for check in instance.all_checks if not check.start]


class Readiness(Status):
    """Runs the checks that ``/readyz`` shows."""

    kept_seconds = 1.0

    def _chosen(self, instance: Instance) -> Sequence[Check]:
        return [check for check in instance.checks if check.readiness]

    def causes(self, troubles: dict[str, str | None]) -> Iterable[str]:
        """Return the names of the failed checks that the instance needs, without consequences."""
        failed = [each.name for each in self._checks if each.needed and troubles[each.name]]
        return [name for name in failed if troubles[name] != _UNKNOWN] or failed


def _trouble(check: Check, instance: Instance) -> str | None:
    try:
        return check.trouble(instance)
    except SQLAlchemyError as error:
        if not instance.database.outage.covers(error):
            logger.warning("The check %s failed: %s", check.name, one_line(error))
        return AWAY if check.name == "database" else _UNKNOWN
    # Checks are code of plugins, and an exception means that the check failed.
    except Exception as error:
        named = in_plugin(error, instance.plugins)
        logger.exception("The check %s failed%s", check.name, named)
        return "can't be checked"
