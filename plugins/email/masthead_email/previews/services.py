"""Rendering a letter for one reader, as it would be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from masthead import Caller, Forbidden, Invalid, api_address, instance_of, texts_of
from masthead_email.letters import has_unsubscribe_link, known_names, mistakes_in
from masthead_email.mjml.compiler import MISSING, Compiled
from masthead_email.mjml.letters import SOURCES
from masthead_email.outbox.messages import mail_html, render_letter
from masthead_email.permissions import ADDRESSES
from masthead_email.rendering.link_placeholders import ARCHIVE, PREFERENCES, UNSUBSCRIBE
from masthead_email.rendering.placeholders import parse_header, parse_html, parse_plain, replace
from masthead_email.subscribers.links import PREFERENCES_PATH, UNSUBSCRIBE_PATH
from masthead_email.subscribers.models import Subscriber
from masthead_email.templates.resource import CONTENT

_EXAMPLE = {"name": "Ada Example", "email": "ada@example.org"}
_TEXTS = ("subject", "html_content", "text_content", "html_wrapper", "language", *SOURCES.values())


@dataclass
class Letter:
    """The texts of a letter that may be stored nowhere."""

    subject: str = ""
    html_content: str | None = None
    text_content: str | None = None
    html_wrapper: str | None = None
    language: str | None = None
    mjml_content: str | None = None
    mjml_wrapper: str | None = None


def letter_of(stored: Any, sent: Mapping[str, Any]) -> Letter:
    """Return the texts of a stored letter, replaced by those that were sent.

    :param stored: a newsletter, a composed e-mail or a template; None for none.
    :raises Invalid: for MJML that can't be compiled here.
    """
    letter = Letter(**{name: getattr(stored, name) for name in _TEXTS if hasattr(stored, name)})
    for name in _TEXTS:
        if name in sent:
            setattr(letter, name, sent[name])
    for html, source in SOURCES.items():
        mjml = sent.get(source)
        if isinstance(mjml, Compiled):
            if mjml.html is None:
                raise Invalid(f"{source}: {MISSING}")
            setattr(letter, html, mjml.html)
    return letter


def preview(
    session: Session,
    letter: Letter,
    reader: Mapping[str, object],
    *,
    unsubscribe: bool,
    values: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the subject and the parts of a letter as a reader gets them.

    The links to unsubscribe and to the preferences have no effect.

    :param reader: the reader's placeholder values.
    :param unsubscribe: whether a footer adds a missing link to unsubscribe.
    :param values: placeholder values that are the same for all readers.
    """
    html, instance = letter.html_content, instance_of(session)
    if html and letter.html_wrapper:
        html = replace(letter.html_wrapper, CONTENT, html)
    mail = render_letter(
        texts_of(session),
        mail_html(session, html) if html else None,
        letter.text_content,
        unsubscribe=unsubscribe or has_unsubscribe_link(html, letter.text_content),
        language=letter.language,
    )
    paths = {UNSUBSCRIBE: UNSUBSCRIBE_PATH, PREFERENCES: PREFERENCES_PATH}
    links = {name: api_address(instance.settings, f"{path}test") for name, path in paths.items()}
    filled = {**(values or {}), **reader, **links}
    return {
        "subject": parse_header(letter.subject).filled(filled),
        "html": None if mail.html is None else parse_html(mail.html).filled(filled),
        "text": parse_plain(mail.text).filled(filled),
        "mistakes": mistakes_in(letter, known_names(session, ARCHIVE, CONTENT)),
    }


def reader_values(
    session: Session, subscriber_id: int | None, caller: Caller
) -> Mapping[str, object]:
    """Return the placeholder values of a subscriber, or those of an example.

    :raises Forbidden: if the caller may not read addresses.
    :raises Invalid: if there is no such subscriber.
    """
    if subscriber_id is None:
        return _EXAMPLE
    if not caller.may(ADDRESSES):
        raise Forbidden
    # Not in the session of the request, as rendering would hold the lock of SQLite meanwhile.
    with instance_of(session).database.session(read_only=True) as reading:
        subscriber = reading.get(Subscriber, subscriber_id)
    if subscriber is None:
        raise Invalid("subscriber_id: There is no such subscriber")
    return {**(subscriber.fields or {}), "name": subscriber.name, "email": subscriber.email}
