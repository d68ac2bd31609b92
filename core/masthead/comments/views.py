"""The endpoints of comments; the caller needs the permission to read the type of the item."""

from __future__ import annotations

from typing import Any

from masthead.approval.declaration import Approvable
from masthead.comments import schemas, services
from masthead.comments.models import Comment
from masthead.errors import Forbidden, NotFound
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.schemas.schema import SUCCESS

_OF_ITEM = "/api/staff/comments/{type}/{id}"
_ONE = _OF_ITEM + "/{comment_id}"
_PATH_HELP = {"type": "The content type in the approval calls, such as `news`."}


def _readable_kind(request: Request) -> Approvable:
    kind: Approvable | None = request.instance.content_types.get(request.matchdict["type"])
    if kind is None:
        raise NotFound
    if not request.identity.may(kind.read_permission):
        raise Forbidden
    return kind


def _comment(request: Request, *, locked: bool = False) -> Comment:
    kind, matched = _readable_kind(request), request.matchdict
    return services.get_comment(
        request.db, kind, matched["id"], matched["comment_id"], locked=locked
    )


def _described(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.id,
        "text": comment.text,
        "author": comment.author,
        "createdAt": comment.created_at,
        "editedAt": comment.edited_at,
        "resolvedAt": comment.resolved_at,
        "resolvedBy": comment.resolved_by,
        "etag": str(comment.revision),
    }


def _answer(request: Request, comment: Comment) -> dict[str, Any]:
    request.db.flush()
    tag_response(request, comment.revision)
    return _described(comment)


@endpoint(
    "GET",
    _OF_ITEM,
    name="comments.list",
    permission=SIGNED_IN,
    query=schemas.FILTER,
    returns=schemas.COMMENTS,
    page=MOST_ROWS,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def list_comments(request: Request) -> Page:
    """List the comments of staff beside an item, the oldest first."""
    page = services.list_comments(
        request.db,
        _readable_kind(request),
        request.matchdict["id"],
        request.window,
        resolved=request.query.get("resolved"),
    )
    return Page([_described(each) for each in page.items], page.total)


@endpoint(
    "POST",
    _OF_ITEM,
    name="comments.create",
    permission=SIGNED_IN,
    body=schemas.NEW,
    returns=schemas.COMMENT,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def create_comment(request: Request) -> Any:
    """Write a comment beside an item, and notify the mentioned users."""
    kind, text = _readable_kind(request), request.data["text"]
    comment = services.add_comment(
        request.db, kind, request.matchdict["id"], text, request.identity
    )
    return _answer(request, comment)


@endpoint(
    "GET",
    _ONE,
    name="comments.show",
    permission=SIGNED_IN,
    returns=schemas.COMMENT,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def show_comment(request: Request) -> Any:
    """Show a comment beside an item."""
    return _answer(request, _comment(request))


@endpoint(
    "PUT",
    _ONE,
    name="comments.update",
    permission=SIGNED_IN,
    body=schemas.CHANGE,
    returns=schemas.COMMENT,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def update_comment(request: Request) -> Any:
    """Change the text of your own comment."""
    comment, kind = _comment(request, locked=True), _readable_kind(request)
    request.precondition.check(comment.revision)
    text = request.data.get("text", comment.text)
    services.change_comment(request.db, kind, comment, text, request.identity)
    return _answer(request, comment)


@endpoint(
    "DELETE",
    _ONE,
    name="comments.delete",
    permission=SIGNED_IN,
    returns=SUCCESS,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def delete_comment(request: Request) -> Any:
    """Delete your own comment; administrators can delete any."""
    comment = _comment(request, locked=True)
    services.delete_comment(request.db, comment, request.identity, request.precondition)
    return {"success": True}


@endpoint(
    "POST",
    _ONE + "/resolve",
    name="comments.resolve",
    permission=SIGNED_IN,
    body=schemas.RESOLVE,
    returns=schemas.COMMENT,
    refuses=frozenset({403}),
    path_help=_PATH_HELP,
)
def resolve_comment(request: Request) -> Any:
    """Mark a comment as resolved, or as open again."""
    comment = _comment(request, locked=True)
    resolved = request.data.get("resolved", True)
    services.resolve_comment(comment, request.identity, resolved=resolved)
    return _answer(request, comment)
