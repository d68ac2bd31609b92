"""The preferences of the recipient of a link: topics, pause, language, address, unsubscribing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Email, Invalid, instance_of, texts_of, utcnow
from masthead_email.rendering.link_placeholders import PREFERENCES
from masthead_email.settings import TOPICS
from masthead_email.subscribers import services
from masthead_email.subscribers.address_change import ask_new_address
from masthead_email.subscribers.engagement import note_engagement
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber
from masthead_email.subscribers.preference_form import Form, Offers, read_choices, value_of

SAVED: Final = "saved"
ASKED: Final = "asked"
"""A mail asks to confirm the new address."""
LEFT: Final = "left"
BACK: Final = "back"
CONFIRMING: Final = "confirming"
"""A mail asks to confirm the subscription."""


@dataclass(frozen=True)
class Person:
    """The recipient of a link."""

    address: str
    subscriber: Subscriber | None
    """None if the address isn't one of a subscriber."""

    @property
    def is_subscribed(self) -> bool:
        """Whether the newsletter is sent to the address, unless it is paused."""
        return self.subscriber is not None and self.subscriber.status == SUBSCRIBED


@dataclass(frozen=True)
class Outcome:
    """The result of a sent form."""

    person: Person
    done: str = ""
    """A word for the change; blank if nothing has changed."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """A word for the error of each field."""
    form: Form = field(default_factory=dict)
    """The values as they were sent, if there are errors."""


def find_person(session: Session, token: str) -> Person:
    """Return the recipient of a link.

    :param session: a session that writes or only reads.
    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    address = services.check_link(session, PREFERENCES, token)
    found = select(Subscriber).where(Subscriber.email == address)
    return Person(address, session.scalars(found).one_or_none())


def offers_of(session: Session) -> Offers:
    """Return the topics and the languages to choose from."""
    instance = instance_of(session)
    return Offers(instance.settings[TOPICS], texts_of(instance).languages)


def apply_form(
    session: Session, token: str, form: Form, accepted: str | None, ip: str | None
) -> Outcome:
    """Change the preferences of the recipient of a link as a form says.

    :param accepted: the language of the recipient's browser, for a mail.
    :param ip: the IP address of the request, which is stored if the settings say so.
    :raises NotFound: if the token is invalid or the subscriber was deleted.
    :raises Invalid: if the form asks for an unknown change, or one that only subscribers make.
    """
    address = services.check_link(session, PREFERENCES, token)
    person = Person(address, services.find_locked(session, address))
    change = value_of(form, "change")
    if change == "unsubscribe":
        services.unsubscribe_recipient(session, address)
        return Outcome(_again(session, person), LEFT)
    if change == "subscribe":
        services.subscribe(session, {"email": address}, ip)
        person = _again(session, person)
        return Outcome(person, BACK if person.is_subscribed else CONFIRMING)
    subscriber_change = _OF_SUBSCRIBERS.get(change)
    if subscriber_change is None or person.subscriber is None or not person.is_subscribed:
        raise Invalid("This change isn't possible")
    outcome = subscriber_change(session, person.subscriber, form, accepted)
    return replace(outcome, person=person)


def _save(session: Session, subscriber: Subscriber, form: Form, _accepted: str | None) -> Outcome:
    zone = texts_of(session).zone
    choices, errors = read_choices(form, subscriber, offers_of(session), utcnow(), zone)
    if errors:
        return Outcome(Person(subscriber.email, subscriber), errors=errors, form=form)
    changed = {
        name: value for name, value in vars(choices).items() if value != getattr(subscriber, name)
    }
    for name, value in changed.items():
        setattr(subscriber, name, value)
    if subscriber.tracking_refused:
        subscriber.engaged_at = None
    note_engagement(session, subscriber)
    if changed:
        subscriber.revision += 1
        subscriber.updated_at = utcnow()
    session.flush()
    return Outcome(Person(subscriber.email, subscriber), SAVED)


def _ask(session: Session, subscriber: Subscriber, form: Form, accepted: str | None) -> Outcome:
    person = Person(subscriber.email, subscriber)
    try:
        address = Email().parse(value_of(form, "address"))
    except ValueError:
        return Outcome(person, errors={"address": "invalid"}, form=form)
    if address == subscriber.email:
        return Outcome(person, errors={"address": "same"}, form=form)
    if not ask_new_address(session, subscriber, address, accepted):
        return Outcome(person, errors={"address": "often"}, form=form)
    return Outcome(person, ASKED, form={"address": [address]})


def _again(session: Session, person: Person) -> Person:
    return Person(person.address, services.find_locked(session, person.address))


_OF_SUBSCRIBERS: Mapping[str, Callable[[Session, Subscriber, Form, str | None], Outcome]] = {
    "letters": _save,
    "address": _ask,
}
