"""Create, change and delete entries of the navigation; a lock serialises changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead import (
    Caller,
    Invalid,
    NotFound,
    Precondition,
    Problem,
    ProblemCode,
    Refused,
    Url,
    lock,
    problems_of,
    record,
    wrong_field,
)
from masthead_site.ids import number_of
from masthead_site.models import LARGEST_ORDER, Entry, Page
from masthead_site.services.navigation import Item, read_items

LEVELS = 5
"""The maximum depth of nested folders."""
STEP = 10
"""The distance of a new entry from the last one, so that others fit between them."""
_LOCK = "site.navigation"
"""The lock of all changes, as two concurrent moves of folders could make a loop."""
_ATTRIBUTES = {"isFolder": "is_folder", "customPageId": "page_id", "parentId": "parent_id"}
"""The attributes of an entry that differ from the wire names, by wire name."""
_SHOWN = {"page_id": "custom_page_id", "parent_id": "parent"}
"""The attributes of an item that differ from the entry's attributes, by those."""


def create_entry(session: Session, sent: Mapping[str, Any]) -> Item:
    """Create a folder, or an entry for a page or a link.

    :param sent: the checked body by wire name.
    :raises Invalid: for none or several of these, or for a page or folder that doesn't exist.
    """
    lock(session, _LOCK)
    entry = Entry(**{"is_folder": False, "hidden": False, **_attributes(sent)})
    kinds = [entry.is_folder, entry.page_id is not None, entry.path is not None]
    if kinds.count(True) != 1:
        message = "An entry needs exactly one of isFolder, customPageId and path"
        kinds_of = ("isFolder", "customPageId", "path")
        problems = [Problem(name, ProblemCode.CONFLICTING, message) for name in kinds_of]
        raise Invalid(message, *problems)
    _save(session, entry)
    return get_entry(session, str(entry.id))


def update_entry(
    session: Session, entry_id: str, sent: Mapping[str, Any], precondition: Precondition
) -> Item:
    """Change the values of an entry that were sent and differ from the present ones.

    :param entry_id: an id as described in :mod:`masthead_site.ids`.
    :param sent: the checked body by wire name.
    :raises NotFound: for an entry that doesn't exist.
    :raises Invalid: for another kind of entry, or for a page or folder that doesn't exist.
    """
    lock(session, _LOCK)
    item = get_entry(session, entry_id)
    precondition.check(item.revision)
    entry = _entry(session, item)
    changes = {name: v for name, v in _attributes(sent).items() if v != _shown(item, name)}
    _check_kind(entry, changes)
    for name, value in changes.items():
        setattr(entry, name, value)
    if changes:
        entry.revision += 1
        _save(session, entry)
    return get_entry(session, item.id)


def delete_entry(
    session: Session, entry_id: str, caller: Caller, precondition: Precondition
) -> None:
    """Delete an entry; the entries of a folder move to the folder's place.

    :raises NotFound: for an entry that doesn't exist.
    :raises Refused: for a static entry.
    """
    lock(session, _LOCK)
    item = get_entry(session, entry_id)
    precondition.check(item.revision)
    if item.number is None:
        raise Refused("A static entry can be hidden, but not deleted")
    inside = update(Entry).where(Entry.parent_id == item.number)
    session.execute(inside.values(parent_id=item.parent, revision=Entry.revision + 1))
    record(
        session,
        "content.delete",
        caller.id,
        content_type="navigation",
        content_id=item.number,
        label=item.label,
    )
    session.delete(_entry(session, item))
    session.flush()


def _attributes(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that were sent, by attribute; blank text is None."""
    return {_ATTRIBUTES.get(n, n): None if value == "" else value for n, value in sent.items()}


def _shown(item: Item, attribute: str) -> Any:
    return getattr(item, _SHOWN.get(attribute, attribute))


def get_entry(session: Session, entry_id: str) -> Item:
    """Return an entry.

    :param entry_id: an id as described in :mod:`masthead_site.ids`.
    :raises NotFound: for an entry that doesn't exist.
    """
    number = number_of(entry_id)
    for item in read_items(session):
        if item.id == entry_id or (number is not None and item.number == number):
            return item
    raise NotFound


def _entry(session: Session, item: Item) -> Entry:
    """Return the row of an item; a new one for a static entry without changes."""
    if item.number is not None:
        return session.get_one(Entry, item.number)
    name = item.id.removeprefix("static-")
    found = session.scalar(select(Entry).where(Entry.static_name == name))
    return found or Entry(static_name=name, is_folder=False, hidden=False, revision=0)


def _check_kind(entry: Entry, changes: Mapping[str, Any]) -> None:
    """Refuse changes of an entry's kind, which is part of its id."""
    if "is_folder" in changes:
        raise wrong_field("isFolder", ProblemCode.NOT_ALLOWED, "The kind of an entry can't change")
    if "page_id" in changes and (entry.page_id is None or changes["page_id"] is None):
        message = "Only an entry of a page has one, and it needs one"
        raise wrong_field("customPageId", ProblemCode.NOT_ALLOWED, message)
    if "path" in changes and (entry.path is None or changes["path"] is None):
        raise wrong_field("path", ProblemCode.NOT_ALLOWED, "Only a link has one, and it needs one")


def _save(session: Session, entry: Entry) -> None:
    with session.no_autoflush:
        if entry.label is None and (entry.is_folder or entry.path is not None):
            raise wrong_field("label", ProblemCode.REQUIRED, "Required")
        if entry.path is not None:
            entry.path = _checked_path(entry.path)
        _check_page(session, entry.page_id)
        _check_place(session, entry)
        if entry.order is None and entry.static_name is None:
            entry.order = _last_order(session)
    session.add(entry)
    session.flush()


def _checked_path(path: str) -> str:
    try:
        return Url().parse(path)
    except ValueError as error:
        problems = [each.within("path") for each in problems_of(error)]
        raise Invalid(f"path: {error}", *problems) from None


def _check_page(session: Session, page_id: int | None) -> None:
    """Refuse a page that doesn't exist; lock an existing one until the transaction ends."""
    if page_id is None:
        return
    page = select(Page.id).where(Page.id == page_id).with_for_update(read=True, key_share=True)
    if session.scalar(page) is None:
        raise wrong_field("customPageId", ProblemCode.UNKNOWN_ID, "There is no such page")


def _last_order(session: Session) -> int:
    last = max((item.order for item in read_items(session)), default=0)
    return min(last + STEP, LARGEST_ORDER)


def _check_place(session: Session, entry: Entry) -> None:
    """Refuse a parent that isn't a folder, is inside the entry itself, or is too deep."""
    if entry.parent_id is None:
        return
    rows = session.execute(select(Entry.id, Entry.parent_id).where(Entry.is_folder))
    # The entry's new parent isn't flushed yet, so these are the folders before the change.
    parents: dict[int, int | None] = {row.id: row.parent_id for row in rows}
    if entry.parent_id not in parents:
        raise wrong_field("parentId", ProblemCode.UNKNOWN_ID, "There is no such folder")
    containing = _path(parents, entry.parent_id)
    if entry.id in containing:
        raise wrong_field("parentId", ProblemCode.NOT_ALLOWED, "A folder can't be inside itself")
    if entry.is_folder and len(containing) + _height(parents, entry.id) > LEVELS:
        message = f"Folders nest to {LEVELS} levels"
        raise wrong_field("parentId", ProblemCode.TOO_COMPLEX, message, limit=LEVELS)


def _path(parents: Mapping[int, int | None], folder: int | None) -> list[int]:
    """Return a folder and the folders that contain it, from inside out."""
    path: list[int] = []
    while folder is not None:
        path.append(folder)
        folder = parents[folder]
    return path


def _height(parents: Mapping[int, int | None], folder: int | None) -> int:
    """Return the number of levels of a folder with the folders in it; 1 for a new folder."""
    paths = [_path(parents, each) for each in parents]
    return max((path.index(folder) + 1 for path in paths if folder in path), default=1)
