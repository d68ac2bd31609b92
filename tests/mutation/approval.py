"""The mutants of the approval workflow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any
from unittest.mock import patch

from mutant import LEAKS, MATRIX, TESTS, Mutant
from sqlalchemy import true

import masthead.approval.detail
import masthead.approval.services
import masthead.approval.votes
import masthead.comments.views
import masthead.content.contenttype
import masthead.content.due_edits
import masthead.content.live_edits
import masthead.content.services
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, WITHDRAW, Transition
from masthead.content.waiting import is_waiting

VOTES = [str(TESTS.parent / "core" / "tests" / "approval" / "test_votes.py")]
PROPOSALS = [str(TESTS / "journeys" / "test_revisions.py"), "-k", "a_proposal_needs"]


def approval_mutants() -> Iterator[Mutant]:
    """Yield mutants with which anybody may move items, or with which edits go live early."""
    for transition in (REQUEST, APPROVE, REJECT, WITHDRAW):
        yield Mutant(
            f"anybody may {transition.name}",
            [*MATRIX, "-k", "no_item_is_moved"],
            partial(_moved_by_anybody, transition),
        )
    yield Mutant("one approval is enough", VOTES, _approved_by_one)
    yield Mutant("every vote counts", VOTES, _counted_anyway)
    yield Mutant("anybody can be the reviewer", VOTES, _reviewed_by_anybody)
    yield Mutant("anybody reads comments", [*MATRIX, "-k", "comments_and"], _commented_by_anybody)
    yield Mutant("anybody sees proposals", PROPOSALS, _shown_to_anybody)
    yield Mutant("every edit is live", LEAKS, _edited_live)
    yield Mutant("anybody may edit live", [*MATRIX, "-k", "no_item_is_moved"], _edited_beside)
    yield Mutant("a takedown keeps the request", LEAKS, _kept_at_takedown)
    yield Mutant("approved edits don't wait for their time", LEAKS, _without_waiting)
    yield Mutant("waiting edits are always due", LEAKS, _always_due)


@contextmanager
def _moved_by_anybody(transition: Transition) -> Iterator[None]:
    services = masthead.approval.services
    check = services._check_power

    def check_power(
        session: Any, content_type: Any, item: Any, asked: Transition, caller: Any
    ) -> None:
        if asked is not transition:
            check(session, content_type, item, asked, caller)

    with patch.object(services, "_check_power", check_power):
        yield


@contextmanager
def _approved_by_one() -> Iterator[None]:
    with patch.object(masthead.approval.services, "required_of", lambda *_: 1):
        yield


@contextmanager
def _counted_anyway() -> Iterator[None]:
    with patch.object(masthead.approval.votes, "_counting", lambda *_: [true()]):
        yield


@contextmanager
def _reviewed_by_anybody() -> Iterator[None]:
    with patch.object(masthead.approval.services, "check_reviewer", lambda *_: None):
        yield


@contextmanager
def _commented_by_anybody() -> Iterator[None]:
    def kind_of(request: Any) -> Any:
        return request.instance.content_types[request.matchdict["type"]]

    with patch.object(masthead.comments.views, "_readable_kind", kind_of):
        yield


@contextmanager
def _shown_to_anybody() -> Iterator[None]:
    with patch.object(masthead.approval.detail, "check_reading", lambda *_: None):
        yield


@contextmanager
def _edited_live() -> Iterator[None]:
    with patch.object(masthead.content.services, "may_edit_live", lambda *_: True):
        yield


@contextmanager
def _edited_beside() -> Iterator[None]:
    with patch.object(masthead.content.live_edits, "may_edit_live", lambda *_: True):
        yield


@contextmanager
def _kept_at_takedown() -> Iterator[None]:
    with patch.object(masthead.content.services, "PENDING", "never"):
        yield


@contextmanager
def _without_waiting() -> Iterator[None]:
    with patch.object(masthead.content.contenttype, "has_to_wait", lambda *_: False):
        yield


@contextmanager
def _always_due() -> Iterator[None]:
    latest = datetime.max.replace(tzinfo=UTC)
    with (
        patch.object(masthead.content.due_edits, "utcnow", lambda: latest),
        patch.object(masthead.content.services, "is_due", lambda item, _now: is_waiting(item)),
    ):
        yield
