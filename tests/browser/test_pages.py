"""The pages behind links in e-mails, in a browser: one button, no script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from masthead import Instance
from masthead.testing import Client
from masthead_email.rendering.link_placeholders import UNSUBSCRIBE
from masthead_email.subscribers.links import UNSUBSCRIBE_PATH, link_key, sign
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.services import CONFIRM_PATH, CONFIRM_PURPOSE

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

ORIGIN = "https://mail.test"


@pytest.fixture
def plugins() -> list[str]:
    return ["email"]


@pytest.fixture
def link(instance: Instance) -> str:
    """The path of the link of a subscriber with a hostile address."""
    with instance.database.transaction() as session:
        session.add(subscriber := Subscriber(email="a&b'<i>@example.org"))
        session.flush()
        return UNSUBSCRIBE_PATH + sign(link_key(session), UNSUBSCRIBE, subscriber.id)


@pytest.fixture
def page(stage: Any, app: Client) -> Iterator[Page]:
    """A browser page that can reach only the app."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        method = app.post if route.request.method == "POST" else app.get
        given = method(path, status="*")
        route.fulfill(status=given.status_int, headers=dict(given.headers), body=given.body)

    stage.page.route(f"{ORIGIN}/**", answer)
    yield stage.page
    stage.page.unroute(f"{ORIGIN}/**")


def test_the_button_unsubscribes(page: Page, link: str, app: Client) -> None:
    page.goto(ORIGIN + link)

    expect(page.get_by_role("heading", level=1)).to_have_text("Unsubscribe")
    expect(page.get_by_text("a&b'<i>@example.org gets our newsletter")).to_be_visible()
    button = page.get_by_role("button", name="Unsubscribe")
    # The browser applies the style only if the page's Content-Security-Policy allows it.
    assert button.evaluate("it => getComputedStyle(it).fontWeight") == "600"
    button.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("You are unsubscribed")
    expect(page.get_by_role("button")).to_have_count(0)
    [subscriber] = app.as_role("editor").get("/api/staff/newsletter-subscribers").json
    assert subscriber["status"] == "unsubscribed"


def test_the_button_confirms_a_subscription(page: Page, instance: Instance, app: Client) -> None:
    with instance.database.transaction() as session:
        session.add(subscriber := Subscriber(email="ada@example.org", status="unsubscribed"))
        session.flush()
        token = sign(link_key(session), CONFIRM_PURPOSE, subscriber.id)
    page.goto(ORIGIN + CONFIRM_PATH + token)

    question = "Do you want to subscribe ada@example.org to our newsletter?"
    expect(page.get_by_text(question)).to_be_visible()
    page.get_by_role("button", name="Subscribe").press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("You are subscribed")
    [known] = app.as_role("editor").get("/api/staff/newsletter-subscribers").json
    assert known["status"] == "subscribed"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_button_are_easy_to_read(page: Page, link: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(ORIGIN + link)

    assert page.evaluate(CONTRAST, ["p", "body"]) >= 7
    assert page.evaluate(CONTRAST, ["button", "button"]) >= 4.5
    assert page.evaluate("document.documentElement.lang") == "en"
    page.set_viewport_size({"width": 320, "height": 480})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


CONTRAST = """([text, ground]) => {
  const light = (selector, property) => {
    const style = getComputedStyle(document.querySelector(selector))[property]
    const [r, g, b] = style.match(/\\d+/g).map(Number).map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const both = [light(text, "color"), light(ground, "backgroundColor")].sort((a, b) => b - a)
  return (both[0] + 0.05) / (both[1] + 0.05)
}"""
"""The contrast ratio of a text and its background, as WCAG 2 defines it."""
