"""The bodies, queries and responses of the endpoints of sent mail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from masthead import (
    Bool,
    Choice,
    Int,
    ListOf,
    Nullable,
    Object,
    Str,
    Timestamp,
    optional,
    required,
    schema,
)
from masthead_email.failures import Failure
from masthead_email.outbox.models import ACTIVE, CANCELLED, DONE, PAUSED, STATES
from masthead_email.outbox.reports import NO_FAILURES, NO_SKIPS, WAITING_REASONS
from masthead_email.sent_mail.retrying import NONE_LEFT_OUT

_NUMBER, _TIME = required(Int(0)), required(Timestamp(), nullable=True)
_CLASS = Choice(*(each.value for each in Failure))


def _numbers(names: Iterable[str]) -> Any:
    return schema(dict.fromkeys(names, _NUMBER))


_FAILURE = schema(
    {
        "email": required(Str()),
        "error": required(Str()),
        "failure": required(Nullable(_CLASS)),
        "at": _TIME,
    }
)
_WAITING = schema(
    {
        "reason": required(Nullable(Choice(*WAITING_REASONS))),
        "retrying": _NUMBER,
        "nextTryAt": _TIME,
    }
)

SENT = schema(
    {
        "success": required(Bool()),
        "sentTo": _NUMBER,
        "leftOut": required(Object(schema({"suppressed": _NUMBER, "paused": _NUMBER}))),
    }
)
DELIVERIES = schema(
    {
        **dict.fromkeys(STATES, _NUMBER),
        "state": required(Nullable(Choice(ACTIVE, PAUSED, CANCELLED, DONE))),
        "pauseReason": required(Str(), nullable=True),
        "waiting": required(Object(_WAITING)),
        "failedBy": required(Object(_numbers(NO_FAILURES))),
        "skippedBy": required(Object(_numbers(NO_SKIPS))),
        "failures": required(ListOf(Object(_FAILURE))),
        "leftOut": required(ListOf(Str())),
    }
)
RECIPIENTS_QUERY = schema(
    {
        "state": optional(Choice(*STATES), nullable=False),
        "failure": optional(_CLASS, nullable=False),
    }
)
RECIPIENT = schema(
    {
        "email": required(Str()),
        "state": required(Choice(*STATES)),
        "failure": required(Nullable(_CLASS)),
        "error": required(Str(), nullable=True),
        "attempts": _NUMBER,
        "nextTryAt": _TIME,
        "at": _TIME,
    }
)
RETRY = schema(
    {
        "failures": optional(ListOf(_CLASS, unique=True), nullable=False),
        "skipped": optional(Bool(), nullable=False),
    }
)
RETRIED = schema(
    {
        "success": required(Bool()),
        "queued": _NUMBER,
        "leftOut": required(Object(_numbers(NONE_LEFT_OUT))),
    }
)
