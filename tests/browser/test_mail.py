"""Sanitised e-mails keep style sheets and a head, and run no script."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from masthead.html import clean_email

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

Vectors = Callable[[str], list[str]]
Accepted = Callable[[Callable[[str], str], Iterable[str]], list[str]]

PLACES = [
    "{}",
    "<style>{}</style>",
    "<style media='{}'>p { color: red }</style>",
    '<p style="{}">x</p>',
    '<a href="{{x}}{}">x</a>',
    "<!--[if mso]>{}<![endif]-->",
]
DOCUMENTS = [
    "<!DOCTYPE html><html><head><title>{}</title></head><body>{}</body></html>",
    '<html lang="{}"><head><meta name="viewport" content="{}"></head><body style="{}">x',
    '<body background="{}"><table background="{}"><tr><td>{}',
]


@pytest.mark.parametrize("place", PLACES)
def test_no_payload_does_anything_in_a_mail(
    stage: Any, vectors: Vectors, accepted: Accepted, place: str
) -> None:
    mails = accepted(clean_email, vectors(place))

    assert stage.perform(mails, "parsed", policy="mail") == {}
    assert stage.perform(mails, "inserted", policy="mail") == {}
    filled = [mail.replace("{{x}}", "") for mail in mails if "{{x}}" in mail]
    assert stage.perform(filled, "parsed", policy="mail") == {}


@pytest.mark.parametrize("place", DOCUMENTS)
def test_no_payload_does_anything_in_a_mail_that_is_a_document(
    stage: Any, vectors: Vectors, accepted: Accepted, place: str
) -> None:
    mails = accepted(clean_email, vectors(place)[::20])

    assert stage.perform(mails, "parsed", policy="mail", together=1) == {}
