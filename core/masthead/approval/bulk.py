"""Moves of many items at once, with a list of the items that failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.approval.declaration import PENDING
from masthead.approval.events import Transitioned
from masthead.approval.gate import ask_for_approvals, has_gates
from masthead.approval.services import move
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, WITHDRAW, Transition
from masthead.auth.caller import Caller
from masthead.errors import Refusal, Refused, RetryLater
from masthead.http.revisions import plain_etag
from masthead.instance import instance_of

OPERATIONS: Mapping[str, Transition] = {
    each.name: each for each in (REQUEST, APPROVE, REJECT, WITHDRAW)
}


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
    asked = _ask(session, etags, caller) if transition is APPROVE else {}
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
                    asked=asked.get(name, {}),
                )
        except RetryLater:
            raise
        except Refusal as refusal:
            failed.append(_failure(name, item_id, refusal))
        else:
            events.append(event)
    return events, failed


def _ask(
    session: Session, keys: Iterable[tuple[str, int]], caller: Caller
) -> dict[str, Mapping[int | str, Refused]]:
    """Lock the pending items, ask the plugins about those of each type, and return the refusals."""
    ids, kinds = defaultdict[str, list[int]](list), instance_of(session).content_types
    for name, item_id in keys:
        ids[name].append(item_id)
    if not has_gates(session):
        return {}
    asked: dict[str, Mapping[int | str, Refused]] = {}
    for name in sorted(ids):
        model = kinds[name].model
        chosen = (model.id.in_(ids[name]), model.approval_status == PENDING)
        rows = select(model).where(*chosen).order_by(model.id).with_for_update()
        items = session.scalars(rows.execution_options(populate_existing=True)).all()
        asked[name] = ask_for_approvals(session, kinds[name], items, caller)
    return asked


def _failure(name: str, item_id: int, refusal: Refusal) -> dict[str, Any]:
    code = next((str(problem.code) for problem in refusal.problems), None)
    return {
        "contentType": name,
        "id": item_id,
        "error": refusal.message,
        "status": refusal.status,
        "code": code,
        **({"fields": [each.described() for each in refusal.problems]} if refusal.problems else {}),
    }
