"""Tracked links in letters, and the addresses to which they lead."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape, unescape
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Instance, NotFound, api_address
from masthead_email.newsletters.models import Newsletter
from masthead_email.rendering.link_placeholders import CLICK
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.subscribers.engagement import is_tracking, note_click
from masthead_email.subscribers.links import CLICK_PATH, click_purpose, stored_key, verify
from masthead_email.subscribers.services import INVALID_LINK

_OWN_LINKS: Final = "/api/newsletter"
_ANCHOR = re.compile(r"<a(?=\s)(?:[^\"<>]|\"[^\"]*+\")*+>")
# Matches whole attributes, because a value may look like another attribute.
_ATTRIBUTE = re.compile(r"""(\s)([^\s="<>/]++)="([^"]*+)\"""")
_TARGET = re.compile(r"https?://[!-~]+", re.IGNORECASE)
"""An address that a header can have as it is."""
_TOKEN = re.compile(r"([1-9][0-9]{0,17})-([0-9]{1,6})-(.+)", re.ASCII)


def track_links(
    instance: Instance, mail: RenderedMessage, newsletter_id: int
) -> tuple[RenderedMessage, list[str] | None]:
    """Return a mail whose links in HTML are tracked, and their targets; unchanged if none is.

    Links with placeholders, and those to pages about the newsletter, stay as they are.
    """
    if mail.html is None or not is_tracking(instance):
        return mail, None
    own = api_address(instance.settings, _OWN_LINKS)
    address = escape(api_address(instance.settings, f"{CLICK_PATH}{newsletter_id}-"))
    targets: dict[str, int] = {}

    def changed(attribute: re.Match[str]) -> str:
        target = unescape(attribute[3])
        if attribute[2].lower() != "href" or "{{" in attribute[3] or target.startswith(own):
            return attribute[0]
        if not _TARGET.fullmatch(target):
            return attribute[0]
        number = targets.setdefault(target, len(targets))
        return f'{attribute[1]}href="{address}{number}-{{{{{CLICK}}}}}"'

    html = _ANCHOR.sub(lambda anchor: _ATTRIBUTE.sub(changed, anchor[0]), mail.html)
    return replace(mail, html=html), list(targets) or None


def follow(session: Session, token: str, *, recorded: bool) -> str:
    """Return the address to which a tracked link leads.

    :param session: a session that may only read.
    :param recorded: whether the day is stored for its reader, if the settings say so.
    :raises NotFound: if no letter has this link.
    """
    key, found = stored_key(session), _TOKEN.fullmatch(token)
    if key is None or found is None:
        raise NotFound(INVALID_LINK)
    newsletter_id, number = int(found[1]), int(found[2])
    # It is valid even if the subscriber or the delivery was deleted since.
    subscriber_id = verify(key, click_purpose(newsletter_id), found[3])
    links = select(Newsletter.tracked_links).where(Newsletter.id == newsletter_id)
    targets = session.scalar(links) if subscriber_id is not None else None
    if subscriber_id is None or not targets or number >= len(targets):
        raise NotFound(INVALID_LINK)
    if recorded:
        note_click(session, subscriber_id)
    target: str = targets[number]
    return target
