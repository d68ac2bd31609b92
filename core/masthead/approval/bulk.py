"""Moves of many items at once, with a list of the items that failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.events import Transitioned
from masthead.approval.services import move
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, Transition
from masthead.auth.caller import Caller
from masthead.errors import Refusal, RetryLater
from masthead.http.revisions import plain_etag
from masthead.instance import instance_of

OPERATIONS: Mapping[str, Transition] = {each.name: each for each in (REQUEST, APPROVE, REJECT)}


def move_many(
    session: Session,
    transition: Transition,
    wanted: Iterable[Mapping[str, Any]],
    caller: Caller,
    remark: str | None,
) -> tuple[list[Transitioned], list[dict[str, Any]]]:
    """Perform a transition of each of some items as if it were the only one.

    :param wanted: the ``contentType`` and ``contentId`` of each item, and perhaps the ``etag``.
    :returns: the events of the items that succeeded, and a description of each other item.
    """
    etags = {(each["contentType"], each["contentId"]): each.get("etag") for each in wanted}
    kinds = instance_of(session).content_types
    events, failed = [], []
    # In a fixed order, so that two calls with the same items don't wait for each other.
    for name, item_id in sorted(etags):
        etag = etags[name, item_id]
        revision = None if etag is None else plain_etag(etag)
        try:
            with session.begin_nested():
                event = move(
                    session,
                    kinds[name],
                    item_id,
                    transition,
                    caller,
                    remark=remark,
                    revision=revision,
                )
        except RetryLater:
            raise
        except Refusal as refusal:
            failed.append(_failure(name, item_id, refusal))
        else:
            events.append(event)
    return events, failed


def _failure(name: str, item_id: int, refusal: Refusal) -> dict[str, Any]:
    code = next((str(problem.code) for problem in refusal.problems), None)
    return {
        "contentType": name,
        "id": item_id,
        "error": refusal.message,
        "status": refusal.status,
        "code": code,
    }
