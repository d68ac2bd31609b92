"""The resource of webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import (
    TIMES,
    Caller,
    Nullable,
    ProblemCode,
    Resource,
    Secret,
    Str,
    Timestamp,
    instance_of,
    public_kinds,
    wrong_field,
)
from masthead_webhooks.models import Webhook
from masthead_webhooks.settings import ALLOW_HTTP
from masthead_webhooks.signing import new_secret

AREA = "webhooks"
_SHOWN = "shown_secret"
"""The attribute with the secret of a new item, which only the answer to its creation shows."""


def _flush(session: Session, items: Sequence[Any]) -> None:
    """Check and write new or changed webhooks, and give new ones a secret.

    :raises Invalid: for an unknown content type, or an address with http that isn't allowed.
    """
    instance = instance_of(session)
    known = {*instance.content_types, *(kind.name for kind in public_kinds(instance))}
    for item in items:
        if unknown := [each for each in item.content_types if each not in known]:
            raise wrong_field("contentTypes", ProblemCode.UNKNOWN_NAME, f"There is no {unknown[0]}")
        if not instance.settings[ALLOW_HTTP] and not item.url.lower().startswith("https:"):
            raise wrong_field("url", ProblemCode.NOT_AN_ADDRESS, "Must begin with https")
        if item.secret is None:
            item.secret = new_secret()
            setattr(item, _SHOWN, item.secret)
        if item.active and inspect(item).attrs.active.history.has_changes():
            item.switched_off = item.failing_since = item.told_at = None
    session.add_all(items)
    session.flush()


def _read_secret(_session: Session, item: Any, _caller: Caller | None) -> dict[str, Any]:
    return {"secret": getattr(item, _SHOWN, None)}


WEBHOOKS = Resource(
    name="webhooks",
    label="Webhook",
    model=Webhook,
    area=AREA,
    shows={
        "switchedOff": Nullable(Str()).described(
            "The reason why Masthead has switched it off; null if it has not."
        ),
        "failingSince": Nullable(Timestamp()).described(
            "The time of the first failure since the last success."
        ),
        **TIMES,
    },
    details={
        "secret": Secret().described(
            "The key of its signatures, which only the answer to the creation shows."
        )
    },
    read_details=_read_secret,
    flush=_flush,
)
