"""Writing, reading and resolving comments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from masthead.approval.declaration import Approvable
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.comments.mentions import mentioned_users
from masthead.comments.models import Comment
from masthead.db import utcnow
from masthead.errors import Forbidden, NotFound
from masthead.http.paging import Page, Window
from masthead.http.permissions import ADMIN
from masthead.http.revisions import Precondition
from masthead.notifications.services import notify
from masthead.ports.notice import Notice

_EXCERPT = 200
"""The characters of a comment in a notification."""
_PEOPLE = (joinedload(Comment.author), joinedload(Comment.resolved_by))


def find_item(session: Session, kind: Approvable, item_id: int, *, locked: bool = False) -> Any:
    """Return an item.

    :param locked: whether it must not be deleted until the transaction ends.
    :raises NotFound: where there is no such item.
    """
    lock = {"read": True, "key_share": True} if locked else None
    item = session.get(kind.model, item_id, with_for_update=lock)
    if item is None:
        raise NotFound("Content not found")
    return item


def list_comments(
    session: Session, kind: Approvable, item_id: int, window: Window, *, resolved: bool | None
) -> Page:
    """Return a page of the comments beside an item, the oldest first.

    :param resolved: keeps only the resolved or only the other ones; None keeps all.
    :raises NotFound: where there is no such item.
    """
    item = find_item(session, kind, item_id)
    comments = select(Comment).where(Comment.kind == kind.name, Comment.item == str(item.id))
    if resolved is not None:
        comments = comments.where(Comment.resolved_at.is_not(None) == resolved)
    total = session.scalar(select(func.count()).select_from(comments.subquery())) or 0
    oldest = comments.order_by(Comment.id).options(*_PEOPLE)
    page = oldest.limit(window.limit).offset(window.offset)
    return Page(session.scalars(page).all(), total)


def get_comment(
    session: Session, kind: Approvable, item_id: int, comment_id: int, *, locked: bool = False
) -> Comment:
    """Return a comment beside an item.

    :param locked: whether to lock it until the transaction ends.
    :raises NotFound: where there is no such item, or no such comment.
    """
    find_item(session, kind, item_id)
    comments = (
        select(Comment)
        .where(Comment.id == comment_id, Comment.kind == kind.name, Comment.item == str(item_id))
        .execution_options(populate_existing=True)
    )
    comment = session.scalar(comments.with_for_update() if locked else comments)
    if comment is None:
        raise NotFound
    return comment


def add_comment(
    session: Session, kind: Approvable, item_id: int, text: str, caller: Caller
) -> Comment:
    """Write a comment beside an item, and notify the mentioned users.

    :raises NotFound: where there is no such item.
    """
    item = find_item(session, kind, item_id, locked=True)
    comment = Comment(
        kind=kind.name, item=str(item.id), author_id=caller.id, text=text, mentioned=[]
    )
    session.add(comment)
    _notify_mentioned(session, kind, item, comment)
    session.flush()
    return comment


def change_comment(
    session: Session, kind: Approvable, comment: Comment, text: str, caller: Caller
) -> None:
    """Change the text of the caller's own, locked comment; users are notified once.

    :raises Forbidden: if it is another user's.
    """
    if comment.author_id != caller.id:
        raise Forbidden("Only the author of a comment can change it")
    if text == comment.text:
        return
    comment.text, comment.edited_at = text, utcnow()
    comment.revision += 1
    item = find_item(session, kind, int(comment.item))
    _notify_mentioned(session, kind, item, comment)


def delete_comment(
    session: Session, comment: Comment, caller: Caller, precondition: Precondition
) -> None:
    """Delete the caller's own comment; administrators delete any.

    :raises Forbidden: if it is another user's.
    """
    if comment.author_id != caller.id and not caller.may(ADMIN):
        raise Forbidden("Only the author of a comment can delete it")
    precondition.check(comment.revision)
    session.delete(comment)


def resolve_comment(comment: Comment, caller: Caller, *, resolved: bool) -> None:
    """Mark a locked comment as resolved, or as open again."""
    if (comment.resolved_at is not None) == resolved:
        return
    comment.resolved_at = utcnow() if resolved else None
    comment.resolved_by_id = caller.id if resolved else None
    comment.revision += 1


def _notify_mentioned(session: Session, kind: Approvable, item: Any, comment: Comment) -> None:
    """Notify the mentioned users, except the author and those who know already."""
    known = {comment.author_id, *comment.mentioned}
    new = [each for each in mentioned_users(session, kind, comment.text) if each not in known]
    if not new:
        return
    comment.mentioned = [*comment.mentioned, *new]
    author = session.get_one(User, comment.author_id)
    short = " ".join(comment.text.split())
    excerpt = short if len(short) <= _EXCERPT else f"{short[:_EXCERPT]}…"
    name = author.display_name or author.username
    notice = Notice(
        title=f"Comment: {kind.label}",
        message=f'{name} mentions you beside "{kind.shown_title(item)}": {excerpt}',
        content_type=kind.name,
        content_id=item.id,
        personal=True,
    )
    notify(session, select(User.id).where(User.id.in_(new)), notice)
