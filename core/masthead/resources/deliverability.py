"""Whether mail reaches the address of an item, in staff answers about persons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, exists, false, or_
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.instance import instance_of
from masthead.ports.mail import MailSuppression
from masthead.schemas.field_types import Bool, FieldType, Int, Str, Timestamp
from masthead.schemas.schema import Nullable, Object, required, schema

_MAIL = schema(
    {
        "kind": required(Str(), help="The kind of the mail.", example="newsletter"),
        "id": required(
            Int(),
            nullable=True,
            help="The id of the newsletter or composed e-mail; null for another mail.",
        ),
        "subject": required(Str(), help="The subject.", example="News in March"),
    },
    name="CausingMail",
    help="The mail after which an address receives no more mail.",
)
SUPPRESSION = schema(
    {
        "kind": required(
            Str(), help="The kind of the reason. Plugins add kinds.", example="bounce"
        ),
        "reason": required(
            Str(), nullable=True, help="The reason, for readers with the permission to see it."
        ),
        "since": required(Timestamp(), help="The time since which no mail is sent."),
        "mail": required(Nullable(Object(_MAIL)), help="The mail that led to it; null for none."),
    },
    name="Suppression",
    help="The reason why an address receives no mail.",
)
"""The reason why an address receives no mail, a ``MailSuppression``."""
DELIVERABILITY: Mapping[str, FieldType] = {
    "deliverable": Bool().described("Whether mail reaches the address."),
    "suppression": Nullable(Object(SUPPRESSION)).described(
        "The reason why the address receives no mail; null if it receives mail."
    ),
}
"""The types of the values of :func:`read_deliverability`, for ``Resource.looked_up``."""


def read_deliverability(
    session: Session, addresses: Sequence[str | None], caller: Caller | None
) -> list[dict[str, Any]]:
    """Return for each address whether it receives mail, and the suppression if it doesn't.

    A user without the permission to read reasons sees since when the address is suppressed, and
    the kind of suppression.

    :param addresses: as ``Email`` stores them; no mail reaches None.
    :param caller: the user who asks; None for the command line, which may read everything.
    """
    known = list(dict.fromkeys(address for address in addresses if address))
    hook = instance_of(session).hooks.masthead_suppressions
    suppressed: dict[str, MailSuppression] = {}
    for answer in hook(session=session, addresses=known) if known else ():
        readable = caller is None or caller.may(answer.permission)
        for address, each in answer.by_address.items():
            suppressed[address] = each if readable else _without_reason(each)
    return [
        {
            "deliverable": bool(address) and address not in suppressed,
            "suppression": suppressed.get(address or ""),
        }
        for address in addresses
    ]


def is_suppressed(session: Session, *columns: ColumnElement[str] | Any) -> ColumnElement[bool]:
    """Return the condition that an address in one of some columns receives no mail.

    :param columns: columns of one row with the same address, in the spellings that are stored.
    """
    hook = instance_of(session).hooks.masthead_suppressions
    queries = [answer.every for answer in hook(session=session, addresses=[])]
    found = [query.subquery() for query in queries if query is not None]
    # Not by IN: on PostgreSQL its time is quadratic if the addresses don't fit into memory.
    matches = [exists().where(each.c[0] == column) for each in found for column in columns]
    return or_(false(), *matches)


def _without_reason(suppression: MailSuppression) -> MailSuppression:
    return MailSuppression(suppression.kind, suppression.since, None, None)
