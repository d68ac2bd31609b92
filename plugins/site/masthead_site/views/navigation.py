"""The endpoints of the navigation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from masthead import MOST_ROWS, PUBLIC, SUCCESS, Page, Request, endpoint
from masthead_site import schemas
from masthead_site.services import entries, navigation
from masthead_site.services.navigation import Item
from masthead_site.settings import MAX_AGE


@endpoint(
    "GET",
    "/api/navigation",
    name="navigation.list",
    permission=PUBLIC,
    returns=schemas.NAVIGATION,
    page=MOST_ROWS,
    max_age=MAX_AGE,
)
def show_navigation(request: Request) -> Page:
    """List the navigation, each folder with its entries."""
    return _page(request, navigation.public_tree(request.db))


@endpoint(
    "GET",
    "/api/staff/navigation",
    name="staff.navigation.list",
    permission="site.read",
    returns=schemas.ENTRIES,
    page=MOST_ROWS,
)
def list_entries(request: Request) -> Page:
    """List all entries of the navigation, each folder before its entries."""
    return _page(request, navigation.staff_list(request.db))


@endpoint(
    "POST",
    "/api/staff/navigation",
    name="staff.navigation.create",
    permission="site.write",
    returns=schemas.ENTRY,
    body=schemas.ENTRY_BODY,
)
def create_entry(request: Request) -> Any:
    """Add a folder, a page or a link to the navigation."""
    return _tagged(request, entries.create_entry(request.db, request.data))


@endpoint(
    "GET",
    "/api/staff/navigation/{entry}",
    name="staff.navigation.show",
    permission="site.read",
    returns=schemas.ENTRY,
)
def show_entry(request: Request) -> Any:
    """Show an entry of the navigation."""
    return _tagged(request, entries.get_entry(request.db, request.matchdict["entry"]))


@endpoint(
    "PUT",
    "/api/staff/navigation/{entry}",
    path_help=schemas.ENTRY_HELP,
    name="staff.navigation.update",
    permission="site.write",
    returns=schemas.ENTRY,
    body=schemas.ENTRY_BODY,
)
def update_entry(request: Request) -> Any:
    """Change, move or hide an entry of the navigation."""
    entry_id = request.matchdict["entry"]
    entry = entries.update_entry(request.db, entry_id, request.data, request.precondition)
    return _tagged(request, entry)


@endpoint(
    "DELETE",
    "/api/staff/navigation/{entry}",
    path_help=schemas.ENTRY_HELP,
    name="staff.navigation.delete",
    permission="site.write",
    returns=SUCCESS,
)
def delete_entry(request: Request) -> Any:
    """Delete an entry of the navigation; the entries of a folder move up."""
    entry_id = request.matchdict["entry"]
    entries.delete_entry(request.db, entry_id, request.identity, request.precondition)
    return {"success": True}


def _tagged(request: Request, entry: Item) -> Item:
    """Return an entry, with its revision as the ETag of the answer."""
    request.response.etag = str(entry.revision)
    return entry


def _page(request: Request, items: Sequence[Any]) -> Page:
    window = request.window
    return Page(items[window.offset : window.offset + window.limit], len(items))
