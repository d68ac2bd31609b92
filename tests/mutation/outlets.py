"""The mutants of the change log, the trash, and previews."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from mutant import TESTS, Mutant

import masthead.changes.views
import masthead.content.public_changes
import masthead.previews.services
import masthead.resources.declaration
import masthead.trash.services
import masthead.trash.views
from masthead.instance import instance_of
from masthead.trash.kinds import check_read, trash_kinds

_CONTENT = TESTS.parent / "core" / "tests" / "content"
CHANGES = [str(_CONTENT / "test_change_log.py"), "-k", "public_sees or staff_see"]
ARCHIVE = [str(TESTS / "leaks" / "test_hidden_newsletters.py")]
PREVIEWS = [str(_CONTENT / "test_previews.py")]
TRASH = [str(TESTS / "journeys" / "test_trash.py"), "-k", "callers_see"]


def outlet_mutants() -> Iterator[Mutant]:
    """Yield mutants with which a stranger learns of hidden items, or staff of other areas."""
    yield Mutant("the change log tells of hidden items", CHANGES, _all_visible)
    yield Mutant("the change log tells of every newsletter", ARCHIVE, _all_shown)
    yield Mutant("staff see the changes of every kind", CHANGES, _all_changes)
    yield Mutant("everybody sees the list of the trash", TRASH, _all_listed)
    yield Mutant("everybody reads an item in the trash", TRASH, _all_read)
    yield Mutant("everybody restores from the trash", TRASH, _all_restored)
    for name, way in {
        "after its hours": _not_expiring,
        "after a change": _not_ending,
        "after its use": _not_used_up,
    }.items():
        yield Mutant(f"a preview opens {name}", PREVIEWS, way)


@contextmanager
def _all_visible() -> Iterator[None]:
    with patch.object(masthead.content.public_changes, "is_visible", lambda *_: True):
        yield


@contextmanager
def _all_shown() -> Iterator[None]:
    resource = masthead.resources.declaration.Resource
    values = resource.public_values

    def public_values(it: Any) -> Any:
        return None if values.fget(it) is None else {}

    with patch.object(resource, "public_values", property(public_values)):
        yield


@contextmanager
def _all_changes() -> Iterator[None]:
    def list_all(areas: Any, request: Any) -> Any:
        return masthead.changes.views._list(request, areas, public=False)

    with patch.object(masthead.changes.views, "list_for_staff", list_all):
        yield


@contextmanager
def _all_listed() -> Iterator[None]:
    with patch.object(masthead.trash.views, "readable", lambda *_: None):
        yield


@contextmanager
def _all_read() -> Iterator[None]:
    def check(session: Any, trashed: Any, _caller: Any) -> Any:
        return trash_kinds(instance_of(session)).get(trashed.kind)

    with patch.object(masthead.trash.views, "check_read", check):
        yield


@contextmanager
def _all_restored() -> Iterator[None]:
    with patch.object(masthead.trash.services, "check_write", check_read):
        yield


@contextmanager
def _not_expiring() -> Iterator[None]:
    services = masthead.previews.services
    opened, early = services.open_link, datetime(2000, 1, 1, tzinfo=UTC)

    def open_link(*given: Any) -> Any:
        with patch.object(services, "utcnow", lambda: early):
            return opened(*given)

    with patch.object(services, "open_link", open_link):
        yield


@contextmanager
def _not_ending() -> Iterator[None]:
    services = masthead.previews.services

    def lock(session: Any, previewed: Any, link: Any) -> Any:
        return previewed.lock(session, link.item)

    with patch.object(services, "_locked", lock):
        yield


@contextmanager
def _not_used_up() -> Iterator[None]:
    with patch.object(masthead.previews.services, "use_up", lambda *_: None):
        yield
