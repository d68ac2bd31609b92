"""The providers: their settings, their signatures, and the headers that name deliveries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from masthead import Instance, Setting, text
from masthead_email.webhooks import basic_auth, mailgun, mailjet, postmark, sendgrid, ses
from masthead_email.webhooks.events import Event


@dataclass(frozen=True)
class Provider:
    """An e-mail delivery service that reports events."""

    name: str
    """Its name in the address of the webhook."""
    setting: Setting[str]
    """Its secret; blank disables the webhook."""
    is_authentic: Callable[[Mapping[str, str], bytes, str], bool]
    """Whether headers and body are the provider's, by the secret."""
    read_events: Callable[[bytes], Iterator[Event]]
    header: str = ""
    """The field that names the delivery in events; blank if the provider needs none."""


def _credentials(value: str) -> str:
    pair = value.strip()
    user, colon, password = pair.partition(":")
    if pair and not (user and colon and len(password) >= 8):
        raise ValueError("user:password, with a password of at least 8 characters")
    return pair


def _topic(value: str) -> str:
    topic = value.strip()
    if topic and not topic.startswith("arn:aws"):
        raise ValueError("the ARN of an SNS topic")
    return topic


def _setting(name: str, parse: Callable[[str], str], secret: str) -> Setting[str]:
    return Setting(
        f"masthead.email.webhook_{name}",
        parse,
        "",
        f"{secret} It enables the webhook /api/email/webhooks/{name}; blank disables it.",
        secret=True,
        shows=False,
    )


PROVIDERS = {
    each.name: each
    for each in (
        Provider(
            "ses",
            _setting("ses", _topic, "The ARN of the SNS topic that Amazon SES reports to."),
            ses.is_authentic,
            ses.read_events,
        ),
        Provider(
            "mailgun",
            _setting("mailgun", text, "The HTTP webhook signing key of Mailgun."),
            mailgun.is_authentic,
            mailgun.read_events,
            'X-Mailgun-Variables: {"masthead": "%s"}',
        ),
        Provider(
            "postmark",
            _setting("postmark", _credentials, "User and password of Postmark's webhooks."),
            basic_auth.is_authentic,
            postmark.read_events,
            "X-PM-Metadata-masthead: %s",
        ),
        Provider(
            "sendgrid",
            _setting("sendgrid", sendgrid.check_key, "The verification key of SendGrid."),
            sendgrid.is_authentic,
            sendgrid.read_events,
            'X-SMTPAPI: {"unique_args": {"masthead": "%s"}}',
        ),
        Provider(
            "mailjet",
            _setting("mailjet", _credentials, "User and password of Mailjet's webhooks."),
            basic_auth.is_authentic,
            mailjet.read_events,
            "X-MJ-CustomID: %s",
        ),
    )
}


def tracking_headers(instance: Instance) -> str:
    """Return the fields of outgoing mail that name its delivery; ``%s`` stands for the tag."""
    enabled = (each for each in PROVIDERS.values() if instance.settings[each.setting])
    return "".join(f"{each.header}\r\n" for each in enabled if each.header)
