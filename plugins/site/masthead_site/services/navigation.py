"""The navigation for staff and visitors: entries that plugins declare, with staff's changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import NavigationEntry, instance_of
from masthead_site.ids import numbered_id, static_id
from masthead_site.models import Entry, Page

Children = Mapping[int | None, Sequence["Item"]]


@dataclass(frozen=True)
class Item:
    """An entry as clients see it: a static one with staff's changes, or one that staff created."""

    id: str
    label: str
    path: str | None
    """None for a folder; the slug of a page."""
    order: int
    hidden: bool
    number: int | None = None
    """The number in the id, for an entry that staff created."""
    parent: int | None = None
    """The number of the folder that contains it."""
    is_folder: bool = False
    custom_page_id: int | None = None
    public: bool = True
    """False for the entry of an unpublished page."""
    revision: int = 0
    """0 for a static entry that staff haven't changed."""

    @property
    def is_custom(self) -> bool:
        """Whether staff created it and it is not a folder."""
        return self.number is not None and not self.is_folder

    @property
    def parent_id(self) -> str | None:
        """The id of the folder that contains it."""
        return None if self.parent is None else numbered_id(self.parent, is_folder=True)


def read_items(session: Session) -> list[Item]:
    """Return all entries, hidden ones too, ordered within each folder."""
    rows = session.execute(
        select(Entry, Page.slug, Page.title, Page.published)
        .outerjoin(Page, Entry.page_id == Page.id)
        .order_by(Entry.order, Entry.id)
    ).all()
    changed = {entry.static_name: entry for entry, *_ in rows}
    static = [_static_item(it, changed.get(it.name)) for it in instance_of(session).navigation]
    custom = [_custom_item(*row) for row in rows if row[0].static_name is None]
    # The sort is stable: among entries of equal order, static ones come first, then older ones.
    return sorted([*static, *custom], key=lambda item: item.order)


def _static_item(declared: NavigationEntry, changed: Entry | None) -> Item:
    own = changed or Entry(hidden=False)
    return Item(
        id=static_id(declared.name),
        label=own.label or declared.label,
        path=declared.path,
        order=declared.order if own.order is None else own.order,
        hidden=own.hidden,
        parent=own.parent_id,
        revision=own.revision or 0,
    )


def _custom_item(entry: Entry, slug: str | None, title: str | None, published: bool | None) -> Item:
    return Item(
        id=numbered_id(entry.id, is_folder=entry.is_folder),
        label=entry.label or title or "",
        path=entry.path or slug,
        order=entry.order or 0,
        hidden=entry.hidden,
        number=entry.id,
        parent=entry.parent_id,
        is_folder=entry.is_folder,
        custom_page_id=entry.page_id,
        public=entry.page_id is None or bool(published),
        revision=entry.revision,
    )


def public_tree(session: Session) -> list[dict[str, Any]]:
    """Return the visible entries as nested mappings by wire name."""
    visible = [item for item in read_items(session) if item.public and not item.hidden]
    return _branch(_children(visible), None)


def staff_list(session: Session) -> list[Item]:
    """Return all entries, each folder before its entries."""
    return list(_walk(_children(read_items(session)), None))


def _children(items: Sequence[Item]) -> Children:
    children: dict[int | None, list[Item]] = defaultdict(list)
    for item in items:
        children[item.parent].append(item)
    return children


def _walk(children: Children, parent: int | None) -> Iterator[Item]:
    for item in children.get(parent, ()):
        yield item
        if item.is_folder:
            yield from _walk(children, item.number)


def _branch(children: Children, parent: int | None) -> list[dict[str, Any]]:
    return [_public_item(item, children) for item in children.get(parent, ())]


def _public_item(item: Item, children: Children) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": item.id,
        "label": item.label,
        "path": item.path,
        "isCustom": item.is_custom,
        "order": item.order,
    }
    if item.custom_page_id is not None:
        shown["customPageId"] = item.custom_page_id
    if item.is_folder:
        shown |= {"isFolder": True, "children": _branch(children, item.number)}
    return shown
