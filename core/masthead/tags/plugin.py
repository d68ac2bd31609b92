"""How tags join core."""

from __future__ import annotations

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import PUBLIC, Permission, area_permissions
from masthead.schemas.schema import SUCCESS
from masthead.tags import views
from masthead.tags.schemas import TAG, TAG_BODY, TAGS


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Reading and writing tags."""
    return area_permissions("tags")


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Tags in public and for staff."""
    staff = "/api/staff/tags"
    return [
        Endpoint(
            name="tags.list",
            method="GET",
            path="/api/tags",
            view=views.list_tags,
            permission=PUBLIC,
            summary="List all tags by name",
            returns=TAGS,
            page=MOST_ROWS,
        ),
        Endpoint(
            name="staff.tags.list",
            method="GET",
            path=staff,
            view=views.list_tags,
            permission="tags.read",
            summary="List all tags by name",
            returns=TAGS,
            page=MOST_ROWS,
        ),
        Endpoint(
            name="staff.tags.create",
            method="POST",
            path=staff,
            view=views.create_tag,
            permission="tags.write",
            summary="Create a tag",
            returns=TAG,
            body=TAG_BODY,
        ),
        Endpoint(
            name="staff.tags.update",
            method="PUT",
            path=staff + "/{id}",
            view=views.rename_tag,
            permission="tags.write",
            summary="Rename a tag; its slug follows",
            returns=TAG,
            body=TAG_BODY,
        ),
        Endpoint(
            name="staff.tags.delete",
            method="DELETE",
            path=staff + "/{id}",
            view=views.delete_tag,
            permission="tags.write",
            summary="Delete a tag and take it from all content",
            returns=SUCCESS,
        ),
    ]
