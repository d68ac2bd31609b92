"""Making, listing, revoking and opening preview links."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, joinedload

from masthead.audit.services import record
from masthead.auth.caller import Caller
from masthead.auth.models import User
from masthead.db import utcnow
from masthead.errors import NotFound, ProblemCode, wrong_field
from masthead.instance import Instance, instance_of
from masthead.previews.models import Preview
from masthead.previews.rendering import Previewed, Previews
from masthead.previews.settings import HOURS, MAX_HOURS
from masthead.resources.services import get_item

INVALID = "The link is not valid any more"
_BATCH = 1000


@dataclass(frozen=True)
class Options:
    """The options of a new link."""

    hours: int | None = None
    """The hours for which it is valid; None for the usual number."""
    once: bool = False
    """Whether it opens the preview a single time."""
    end_on_change: bool = False
    """Whether it ends with the next change of the item."""
    note: str | None = None


@dataclass(frozen=True)
class Opened:
    """A preview that its link has opened."""

    link: Preview
    item: Mapping[str, Any]
    """The item as the public would see it."""


def make_link(
    session: Session, previewed: Previewed, item: Any, options: Options, caller: Caller
) -> tuple[Preview, str]:
    """Make a link to the preview of a locked item, and return it with its token.

    :raises Invalid: for more hours than the setting allows.
    """
    settings, name, now = instance_of(session).settings, previewed.kind.name, utcnow()
    most, token = settings[MAX_HOURS], secrets.token_urlsafe(32)
    hours = options.hours or settings[HOURS]
    if hours > most:
        message = f"Must be {most} or less"
        raise wrong_field("hours", ProblemCode.OUT_OF_RANGE, message, maximum=most)
    link = Preview(
        digest=_digest(token),
        kind=name,
        item=str(item.id),
        user_id=caller.id,
        created_at=now,
        expires_at=now + timedelta(hours=hours),
        once=options.once,
        revision=item.revision if options.end_on_change else None,
        note=options.note,
    )
    session.add(link)
    session.flush()
    facts: dict[str, Any] = {"preview": link.id, "hours": hours, "note": options.note}
    record(session, "preview.create", caller, name, item, **facts)
    return link, token


def list_links(session: Session, previewed: Previewed, item_id: int | str) -> Sequence[Preview]:
    """Return the links of an item that haven't expired, the newest first.

    :raises NotFound: for a missing item.
    """
    get_item(session, previewed.kind, item_id)
    links = select(Preview).where(*_of(previewed, item_id), Preview.expires_at > utcnow())
    newest = links.order_by(Preview.id.desc()).options(joinedload(Preview.user))
    return session.scalars(newest).all()


def revoke_link(
    session: Session, previewed: Previewed, item: Any, link_id: int, caller: Caller
) -> None:
    """Delete a link, so that its token opens nothing.

    :raises NotFound: if the item has no such link.
    """
    own = (*_of(previewed, item.id), Preview.id == link_id)
    if session.scalar(delete(Preview).where(*own).returning(Preview.id)) is None:
        raise NotFound
    record(session, "preview.revoke", caller, previewed.kind.name, item, preview=link_id)


def open_link(instance: Instance, token: str, query: Mapping[str, Any]) -> Opened:
    """Return the preview that a token opens; nothing is written.

    :param query: the parameters of a public answer.
    :raises NotFound: for a token that opens nothing, whatever the reason is.
    """
    with instance.database.session(read_only=True) as session:
        link = session.scalar(
            select(Preview)
            .join(User, User.id == Preview.user_id)
            .where(Preview.digest == _digest(token), Preview.expires_at > utcnow())
            .where(User.disabled.is_(False))
        )
    previewed = None if link is None else instance.shared(Previews).kinds.get(link.kind)
    if link is None or previewed is None:
        raise NotFound(INVALID)
    # Closing it rolls everything back.
    with instance.database.session() as session:
        try:
            item = _locked(session, previewed, link)
            return Opened(link, previewed.render(session, item, query))
        except NotFound:
            raise NotFound(INVALID) from None


def use_up(session: Session, link: Preview) -> None:
    """Delete a link for a single use.

    :raises NotFound: if another request has used it meanwhile.
    """
    used = delete(Preview).where(Preview.id == link.id).returning(Preview.id)
    if session.scalar(used) is None:
        raise NotFound(INVALID)


def delete_expired(session: Session) -> bool:
    """Delete some links that have expired, and return whether there may be more."""
    expired = select(Preview.id).where(Preview.expires_at <= utcnow()).limit(_BATCH)
    found = session.scalars(expired).all()
    session.execute(delete(Preview).where(Preview.id.in_(found)))
    return len(found) == _BATCH


def _of(previewed: Previewed, item_id: int | str) -> tuple[Any, Any]:
    return Preview.kind == previewed.kind.name, Preview.item == str(item_id)


def _locked(session: Session, previewed: Previewed, link: Preview) -> Any:
    """Return the item that a link shows, locked until the transaction ends.

    :raises NotFound: if it is gone, or has changed and the link ends with a change.
    """
    item = previewed.lock(session, link.item)
    # A database can give the id of a deleted item to a new one.
    is_same = item.created_at <= link.created_at
    if not is_same or link.revision not in (None, item.revision):
        raise NotFound
    return item


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
