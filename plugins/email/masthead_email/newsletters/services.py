"""Test mails of newsletters, and the delivery of sent ones: counting, pausing, cancelling."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    MOST_ROWS,
    Caller,
    NotFound,
    Refused,
    Window,
    api_address,
    instance_of,
    record,
)
from masthead_email.letters import known_names, mistakes_in
from masthead_email.newsletters.archive import archive_values
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox import messages
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import NEWSLETTER, STATES, Message
from masthead_email.permissions import ADDRESSES
from masthead_email.preparing import prepare, read_snapshot
from masthead_email.rendering.link_placeholders import ARCHIVE, UNSUBSCRIBE
from masthead_email.subscribers.links import UNSUBSCRIBE_PATH


def send_test(session: Session, newsletter_id: int, email: str, actor_id: int) -> list[str]:
    """Send the current version of a newsletter to one address; return its mistakes.

    :raises NotFound: if the newsletter doesn't exist.
    """
    newsletter = read_snapshot(session, Newsletter, newsletter_id)
    mail = prepare(session, newsletter, unsubscribe=True)
    # The address may belong to no subscriber, so the unsubscribe link has no effect.
    link = api_address(instance_of(session).settings, UNSUBSCRIBE_PATH + "test")
    message = messages.store_rendered(
        session,
        mail,
        kind=NEWSLETTER,
        source_id=None,
        subject=newsletter.subject,
        values=archive_values(session, newsletter),
    )
    messages.add_recipients(session, message, [(email, None)], {UNSUBSCRIBE: link})
    title = newsletter.title
    record(session, "newsletter.test", actor_id, NEWSLETTERS.name, newsletter, title=title)
    return mistakes_in(newsletter, known_names(session, ARCHIVE))


def deliveries(session: Session, newsletter_id: int, caller: Caller) -> dict[str, Any]:
    """Return the number of deliveries per state, and the failed ones, newest first.

    ``leftOut`` names the failures where the caller may not read addresses.

    :raises NotFound: if the newsletter doesn't exist.
    """
    _get(session, newsletter_id)
    message = outbox.latest_message(session, NEWSLETTER, newsletter_id)
    readable = caller.may(ADDRESSES)
    shown = {
        "failures": _failures(session, message) if message and readable else [],
        "leftOut": [] if readable else ["failures"],
    }
    if message is None:
        return dict.fromkeys(STATES, 0) | shown
    return outbox.counts(session, [message.id])[message.id] | shown


def _failures(session: Session, message: Message) -> list[dict[str, Any]]:
    failed = outbox.failures(session, message.id, Window(MOST_ROWS, 0)).items
    return [{"email": d.address, "error": d.last_error or "", "at": d.done_at} for d in failed]


def pause(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Pause the delivery of a newsletter.

    :raises Refused: if it isn't being sent.
    """
    newsletter, message = _sent(session, newsletter_id)
    outbox.pause(session, message.id)
    title = newsletter.title
    record(session, "newsletter.pause", actor_id, NEWSLETTERS.name, newsletter, title=title)


def resume(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Resume the delivery of a paused newsletter.

    :raises Refused: if it isn't paused.
    """
    newsletter, message = _sent(session, newsletter_id)
    outbox.resume(session, message.id)
    title = newsletter.title
    record(session, "newsletter.resume", actor_id, NEWSLETTERS.name, newsletter, title=title)


def cancel(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Cancel the delivery of a newsletter permanently.

    :raises Refused: if it is neither being sent nor paused.
    """
    newsletter, message = _sent(session, newsletter_id)
    skipped = outbox.cancel(session, message.id)
    record(
        session,
        "newsletter.cancel",
        actor_id,
        NEWSLETTERS.name,
        newsletter,
        title=newsletter.title,
        skipped=skipped,
    )


def _get(session: Session, newsletter_id: int) -> Newsletter:
    newsletter = session.get(Newsletter, newsletter_id)
    if newsletter is None:
        raise NotFound
    return newsletter


def _sent(session: Session, newsletter_id: int) -> tuple[Newsletter, Message]:
    """Return a newsletter and its message.

    :raises NotFound: if the newsletter doesn't exist.
    :raises Refused: if it wasn't sent.
    """
    newsletter = _get(session, newsletter_id)
    message = outbox.latest_message(session, NEWSLETTER, newsletter_id)
    if message is None:
        raise Refused("Newsletter was not sent yet")
    return newsletter, message
