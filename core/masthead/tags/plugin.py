"""How tags join core."""

from __future__ import annotations

from masthead.approval.schemas import SUCCESS
from masthead.auth.permissions import Permission, area_permissions
from masthead.hookspecs import hookimpl
from masthead.paging import MOST_ROWS
from masthead.routes import PUBLIC, Endpoint
from masthead.tags import views
from masthead.tags.schemas import TAG, TAG_BODY, TAGS


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Reading and writing tags."""
    return area_permissions("tags", "tags")


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Tags in public and for staff."""
    staff = "/api/staff/tags"
    return [
        Endpoint(
            "tags.list",
            "GET",
            "/api/tags",
            views.list_tags,
            PUBLIC,
            "List all tags by name",
            returns=TAGS,
            page=MOST_ROWS,
        ),
        Endpoint(
            "staff.tags.list",
            "GET",
            staff,
            views.list_tags,
            "tags.read",
            "List all tags by name",
            returns=TAGS,
            page=MOST_ROWS,
        ),
        Endpoint(
            "staff.tags.create",
            "POST",
            staff,
            views.create_tag,
            "tags.write",
            "Create a tag",
            returns=TAG,
            body=TAG_BODY,
        ),
        Endpoint(
            "staff.tags.update",
            "PUT",
            staff + "/{id}",
            views.rename_tag,
            "tags.write",
            "Rename a tag; its slug follows",
            returns=TAG,
            body=TAG_BODY,
        ),
        Endpoint(
            "staff.tags.delete",
            "DELETE",
            staff + "/{id}",
            views.delete_tag,
            "tags.write",
            "Delete a tag and take it from all content",
            returns=SUCCESS,
        ),
    ]
