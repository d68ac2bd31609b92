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

_CLASS = Choice(*(each.value for each in Failure))


def _number(meaning: str) -> Any:
    return required(Int(0), help=meaning)


def _time(meaning: str) -> Any:
    return required(Timestamp(), nullable=True, help=meaning)


def _numbers(names: Iterable[str], name: str, meaning: str) -> Any:
    """Return a schema with a number for each name."""
    return schema(
        {each: _number(f"Those with the reason or state `{each}`.") for each in names},
        name=name,
        help=meaning,
    )


_FAILURE = schema(
    {
        "email": required(Str(), help="The address."),
        "error": required(Str(), help="The reason, for humans."),
        "failure": required(Nullable(_CLASS), help="The class of the failure."),
        "at": _time("The time of the last attempt."),
    },
    name="DeliveryFailure",
    help="A failed delivery.",
)
_WAITING = schema(
    {
        "reason": required(
            Nullable(Choice(*WAITING_REASONS)),
            help="The reason why the sending waits; null if it doesn't.",
        ),
        "retrying": _number("The number of deliveries that will be tried again."),
        "nextTryAt": _time("The time of the next attempt."),
    },
    name="SendingPause",
    help="The reason why a sending waits.",
)

SENT = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "sentTo": _number("The number of recipients."),
        "leftOut": required(
            Object(
                _numbers(
                    ("suppressed", "paused"), "LeftOut", "The numbers of those who get no mail."
                )
            ),
            help="The subscribers who get no mail.",
        ),
    },
    name="MailSent",
    help="The mail is on its way.",
)
DELIVERIES = schema(
    {
        **{each: _number(f"The number of deliveries in the state `{each}`.") for each in STATES},
        "state": required(
            Nullable(Choice(ACTIVE, PAUSED, CANCELLED, DONE)), help="The state of the sending."
        ),
        "pauseReason": required(Str(), nullable=True, help="The reason of a pause."),
        "waiting": required(Object(_WAITING), help="Whether and why the sending waits."),
        "failedBy": required(
            Object(_numbers(NO_FAILURES, "FailureNumbers", "The numbers of failed deliveries.")),
            help="The failed deliveries by the class of the failure.",
        ),
        "skippedBy": required(
            Object(_numbers(NO_SKIPS, "SkipNumbers", "The numbers of skipped deliveries.")),
            help="The skipped deliveries by reason.",
        ),
        "failures": required(ListOf(Object(_FAILURE)), help="The first failures."),
        "leftOut": required(ListOf(Str()), help="The kinds of data that the caller may not read."),
    },
    name="Deliveries",
    help="The state of a sending.",
)
RECIPIENTS_QUERY = schema(
    {
        "state": optional(Choice(*STATES), nullable=False, help="Only deliveries in this state."),
        "failure": optional(_CLASS, nullable=False, help="Only failures of this class."),
    }
)
RECIPIENT = schema(
    {
        "email": required(Str(), help="The address."),
        "state": required(Choice(*STATES), help="The state of the delivery."),
        "failure": required(Nullable(_CLASS), help="The class of the failure; null for none."),
        "error": required(
            Str(),
            nullable=True,
            help="The reason of the last failure.",
            example="550 5.1.1 No such user",
        ),
        "attempts": _number("The number of attempts."),
        "nextTryAt": _time("The time of the next attempt."),
        "at": _time("The time of the last attempt."),
    },
    name="Recipient",
    help="A recipient, and the state of the delivery.",
)
RETRY = schema(
    {
        "failures": optional(
            ListOf(_CLASS, unique=True),
            nullable=False,
            help="The classes of failures to try again; by default all that can be.",
        ),
        "skipped": optional(
            Bool(), nullable=False, help="Whether to try the skipped deliveries, too."
        ),
    },
    name="DeliveryRetry",
    help="The deliveries to try again.",
)
RETRIED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "queued": _number("The number of deliveries that will be tried again."),
        "leftOut": required(
            Object(_numbers(NONE_LEFT_OUT, "NotRetried", "The numbers of deliveries that stay.")),
            help="The deliveries that are not tried again.",
        ),
    },
    name="DeliveryRetried",
    help="The deliveries are queued again.",
)
