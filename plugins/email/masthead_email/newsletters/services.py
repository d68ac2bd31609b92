"""Test mails of newsletters."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import Invalid, api_address, instance_of, record
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox import messages
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.outbox.services import is_suppressed
from masthead_email.preparing import prepare, read_snapshot
from masthead_email.rendering.placeholders import fill
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.subscribers.links import UNSUBSCRIBE, UNSUBSCRIBE_PATH


def send_test(session: Session, newsletter_id: int, email: str, actor_id: int) -> None:
    """Send the current version of a newsletter to one address.

    :raises NotFound: if the newsletter doesn't exist.
    :raises Invalid: if the address is suppressed.
    """
    newsletter = read_snapshot(session, Newsletter, newsletter_id)
    mail = prepare(session, newsletter, unsubscribe=True)
    if is_suppressed(session, email):
        raise Invalid("email: This address is suppressed, so no mail is sent to it")
    # The address may belong to no subscriber, so the unsubscribe link has no effect.
    link = api_address(instance_of(session).settings, UNSUBSCRIBE_PATH + "test")
    html, text = (fill(text, {UNSUBSCRIBE: link}) for text in (mail.html or "", mail.text))
    message = messages.store_rendered(
        session,
        RenderedMessage(html, text),
        kind=NEWSLETTER,
        source_id=None,
        subject=newsletter.subject,
    )
    messages.add_recipients(session, message, [(email, None)])
    title = newsletter.title
    record(session, "newsletter.test", actor_id, NEWSLETTERS.name, newsletter, title=title)
