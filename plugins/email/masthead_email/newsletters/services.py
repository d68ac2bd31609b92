"""What staff do to newsletters that were sent, and to try them before."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from masthead import MOST_ROWS, NotFound, Refused, Window, api_address, instance_of, record
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox import messages
from masthead_email.outbox import services as outbox
from masthead_email.outbox.models import NEWSLETTER, STATES, Message
from masthead_email.preparing import prepare, read_snapshot
from masthead_email.rendering.placeholders import fill
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.subscribers.links import UNSUBSCRIBE, UNSUBSCRIBE_PATH


def send_test(session: Session, newsletter_id: int, email: str, actor_id: int) -> None:
    """Send a newsletter as it is now to one address.

    :raises NotFound: where there is none.
    """
    newsletter = read_snapshot(session, Newsletter, newsletter_id)
    mail = prepare(session, newsletter, unsubscribe=True)
    # Who tries it needn't be subscribed, so there is nothing that the link could do.
    link = api_address(instance_of(session).settings, UNSUBSCRIBE_PATH + "test")
    html, text = fill(mail.html or "", UNSUBSCRIBE, link), fill(mail.text, UNSUBSCRIBE, link)
    message = messages.store_rendered(
        session,
        RenderedMessage(html, text),
        kind=NEWSLETTER,
        source_id=None,
        subject=newsletter.subject,
    )
    messages.add_recipients(session, message, [(email, None)])
    _record(session, "newsletter.test", newsletter, actor_id)


def deliveries(session: Session, newsletter_id: int) -> dict[str, Any]:
    """How many deliveries are in which state, and those that failed, the last first.

    :raises NotFound: where there is no such newsletter.
    """
    _get(session, newsletter_id)
    message = outbox.latest_message(session, NEWSLETTER, newsletter_id)
    if message is None:
        return dict.fromkeys(STATES, 0) | {"failures": []}
    failed = outbox.failures(session, message.id, Window(MOST_ROWS, 0)).items
    told = [{"email": d.address, "error": d.last_error or "", "at": d.done_at} for d in failed]
    return outbox.counts(session, [message.id])[message.id] | {"failures": told}


def pause(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Let nothing more be sent of a newsletter until it is resumed.

    :raises Refused: where it isn't being sent.
    """
    newsletter, message = _sent(session, newsletter_id)
    outbox.pause(session, message.id)
    _record(session, "newsletter.pause", newsletter, actor_id)


def resume(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Go on with a newsletter that was paused.

    :raises Refused: where it isn't paused.
    """
    newsletter, message = _sent(session, newsletter_id)
    outbox.resume(session, message.id)
    _record(session, "newsletter.resume", newsletter, actor_id)


def cancel(session: Session, newsletter_id: int, actor_id: int) -> None:
    """Send nothing more of a newsletter, ever.

    :raises Refused: where it is neither being sent nor paused.
    """
    newsletter, message = _sent(session, newsletter_id)
    skipped = outbox.cancel(session, message.id)
    _record(session, "newsletter.cancel", newsletter, actor_id, skipped=skipped)


def _get(session: Session, newsletter_id: int) -> Newsletter:
    newsletter = session.get(Newsletter, newsletter_id)
    if newsletter is None:
        raise NotFound
    return newsletter


def _sent(session: Session, newsletter_id: int) -> tuple[Newsletter, Message]:
    newsletter = _get(session, newsletter_id)
    message = outbox.latest_message(session, NEWSLETTER, newsletter_id)
    if message is None:
        raise Refused("Newsletter was not sent yet")
    return newsletter, message


def _record(
    session: Session, action: str, newsletter: Newsletter, actor_id: int, **detail: object
) -> None:
    record(
        session,
        action,
        actor_id,
        content_type=NEWSLETTERS.name,
        content_id=newsletter.id,
        title=newsletter.title,
        **detail,
    )
