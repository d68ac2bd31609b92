"""The pages behind the links in mails: accessible HTML without scripts."""

from __future__ import annotations

import base64
import hashlib
from html import escape

from pyramid.response import Response

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center;
  font: 1.125rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #f6f6f4; }
main { max-width: 32rem; padding: 2rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 1.5rem; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 2px solid #0b5d3b;
  border-radius: .5rem; color: #fff; background: #0b5d3b; cursor: pointer; }
button:focus-visible { outline: 3px solid #f0a202; outline-offset: 3px; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #161616; }
  button { color: #0d1f16; background: #7fd8ac; border-color: #7fd8ac; }
}
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def respond(page: str) -> Response:
    """Return a page as a response that is neither cached nor indexed by search engines."""
    response = Response(page, content_type="text/html", charset="UTF-8")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def refusal_page(status: int, message: str) -> Response:
    """Return the page for a link that can't be followed, as a response with a status."""
    response = respond(_page("This link has no effect", f"{message}."))
    response.status_int = status
    return response


def unsubscribe_page(address: str, preferences: str) -> str:
    """Return the page with a button that unsubscribes an address.

    :param preferences: the address of the person's preference page.
    """
    text = f"{address} gets our newsletter. Do you want to unsubscribe?"
    fewer = f'<p><a href="{escape(preferences)}">Rather fewer letters, or a pause?</a></p>'
    return _page("Unsubscribe", text, "Unsubscribe", fewer)


def confirm_page(address: str) -> str:
    """Return the page with a button that confirms the subscription of an address."""
    return _page("Subscribe", f"Do you want to subscribe {address} to our newsletter?", "Subscribe")


def _page(title: str, text: str, button: str = "", below: str = "") -> str:
    # A form without an action posts to the URL of its page.
    form = f'<form method="post"><button type="submit">{button}</button></form>' if button else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n{form}\n{below}\n</main>\n"
        "</body>\n</html>\n"
    )


UNSUBSCRIBED = _page("You are unsubscribed", "You won't get our newsletter any more.")
CONFIRMED = _page("You are subscribed", "Thank you! You will get our next newsletter.")
