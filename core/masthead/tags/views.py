"""The tag endpoints."""

from __future__ import annotations

from typing import Any

from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.schemas.schema import SUCCESS
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER
from masthead.tags import services
from masthead.tags.models import Tag
from masthead.tags.schemas import TAG, TAG_BODY, TAGS


@endpoint("GET", "/api/tags", name="tags.list", permission=PUBLIC, returns=TAGS, page=MOST_ROWS)
def list_public_tags(request: Request) -> Page:
    """List all tags by name."""
    return services.list_tags(request.db, request.window)


@endpoint(
    "GET",
    "/api/staff/tags",
    name="staff.tags.list",
    permission="tags.read",
    returns=TAGS,
    page=MOST_ROWS,
)
def list_tags(request: Request) -> Page:
    """List all tags by name."""
    return services.list_tags(request.db, request.window)


@endpoint(
    "POST",
    "/api/staff/tags",
    name="staff.tags.create",
    permission="tags.write",
    returns=TAG,
    body=TAG_BODY,
)
def create_tag(request: Request) -> Tag:
    """Create a tag."""
    data = request.data
    slug, take_over = data.get(SLUG_FIELD), data.get(TAKE_OVER, False)
    tag = services.create_tag(request.db, data["name"], slug, take_over=take_over)
    return _tagged(request, tag)


@endpoint(
    "GET",
    "/api/staff/tags/{id}",
    name="staff.tags.show",
    permission="tags.read",
    returns=TAG,
)
def show_tag(request: Request) -> Tag:
    """Show a tag."""
    return _tagged(request, services.get_tag(request.db, request.matchdict["id"]))


@endpoint(
    "PUT",
    "/api/staff/tags/{id}",
    name="staff.tags.update",
    permission="tags.write",
    returns=TAG,
    body=TAG_BODY,
)
def change_tag(request: Request) -> Tag:
    """Rename a tag, whose slug follows, or choose another slug."""
    tag_id, data = request.matchdict["id"], request.data
    return _tagged(request, services.change_tag(request.db, tag_id, data, request.precondition))


@endpoint(
    "DELETE",
    "/api/staff/tags/{id}",
    name="staff.tags.delete",
    permission="tags.write",
    returns=SUCCESS,
)
def delete_tag(request: Request) -> Any:
    """Delete a tag and remove it from all content."""
    tag_id = request.matchdict["id"]
    services.delete_tag(request.db, tag_id, request.identity, request.precondition)
    return {"success": True}


def _tagged(request: Request, tag: Tag) -> Tag:
    """Return a tag, with its revision as the ETag of the answer."""
    tag_response(request, tag.revision)
    return tag
