"""Whether the process answers, and whether its instance is ready to serve."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from masthead.db import migrate
from masthead.db.status import troubles
from masthead.errors import Refusal
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.instance import Check, Instance
from masthead.schemas.field_types import Anything, Choice
from masthead.schemas.schema import required, schema

logger = logging.getLogger(__name__)

_OK = "ok"


class Unavailable(Refusal):
    """The instance can't serve now; the message says why."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


@hookimpl
def masthead_checks() -> list[Check]:
    """What core itself needs."""
    return [
        Check("database", database_trouble),
        Check("migrations", migrations_trouble),
    ]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """The two addresses that a supervisor or a load balancer asks."""
    status = required(Choice(_OK))
    return [
        Endpoint(
            name="core.healthz",
            method="GET",
            path="/healthz",
            view=show_health,
            permission=PUBLIC,
            keep=False,
            summary="Whether the process answers",
            returns=schema({"status": status}),
        ),
        Endpoint(
            name="core.readyz",
            method="GET",
            path="/readyz",
            view=show_readiness,
            permission=PUBLIC,
            keep=False,
            summary="Whether the instance is ready to serve",
            returns=schema({"status": status, "checks": required(Anything())}),
            refuses=frozenset({Unavailable.status}),
        ),
    ]


def show_health(request: Request) -> dict[str, Any]:  # noqa: ARG001 - that it is asked is enough
    """The process answers."""
    return {"status": _OK}


def show_readiness(request: Request) -> dict[str, Any]:
    """Every check of the instance is content."""
    instance: Instance = request.instance
    troubles = {check.name: _trouble(check, instance) for check in instance.checks}
    wrong = [f"{name}: {trouble}" for name, trouble in troubles.items() if trouble]
    if wrong:
        raise Unavailable("; ".join(wrong))
    return {"status": _OK, "checks": dict.fromkeys(troubles, _OK)}


def database_trouble(instance: Instance) -> None:
    """Nothing, or the database's error."""
    with instance.database.read() as connection:
        connection.execute(text("SELECT 1"))


def migrations_trouble(instance: Instance) -> str | None:
    """Tables are older than the code, or a plugin newer than core; newer tables are fine."""
    return troubles(migrate.status(instance.database, instance.plugins))


def _trouble(check: Check, instance: Instance) -> str | None:
    try:
        return check.trouble(instance)
    except SQLAlchemyError as error:
        logger.warning("The check %s failed: %s", check.name, error)
        return "the database can't be reached"
    # Checks are anybody's code, and that one fails is an answer too.
    except Exception:
        logger.exception("The check %s failed", check.name)
        return "can't be checked"
