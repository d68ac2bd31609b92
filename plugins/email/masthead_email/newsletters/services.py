"""Test mails of newsletters."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import ProblemCode, api_address, instance_of, record, wrong_field
from masthead_email.letters import known_names, mistakes_in
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.public_letter import archive_values
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox import messages
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.outbox.services import is_suppressed
from masthead_email.preparing import prepare, read_snapshot
from masthead_email.rendering.link_placeholders import ARCHIVE, PREFERENCES, UNSUBSCRIBE
from masthead_email.subscribers.links import PREFERENCES_PATH, UNSUBSCRIBE_PATH


def send_test(session: Session, newsletter_id: int, email: str, actor_id: int) -> list[str]:
    """Send the current version of a newsletter to one address; return its mistakes.

    :raises NotFound: if the newsletter doesn't exist.
    :raises Invalid: if the address is suppressed.
    """
    newsletter = read_snapshot(session, Newsletter, newsletter_id)
    mail = prepare(session, newsletter, unsubscribe=True)
    if is_suppressed(session, email):
        text = "This address is suppressed, so no mail is sent to it"
        raise wrong_field("email", ProblemCode.NOT_ALLOWED, text)
    # The address may belong to no subscriber, so the links have no effect.
    settings = instance_of(session).settings
    paths = {UNSUBSCRIBE: UNSUBSCRIBE_PATH, PREFERENCES: PREFERENCES_PATH}
    links = {name: api_address(settings, path + "test") for name, path in paths.items()}
    message = messages.store_rendered(
        session,
        mail,
        kind=NEWSLETTER,
        source_id=None,
        subject=newsletter.subject,
        values=archive_values(session, newsletter),
    )
    messages.add_recipients(session, message, [(email, None)], links)
    title = newsletter.title
    record(session, "newsletter.test", actor_id, NEWSLETTERS.name, newsletter, title=title)
    return mistakes_in(newsletter, known_names(session, ARCHIVE))
