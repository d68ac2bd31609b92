"""Pages of HTML for persons, such as those behind links in mails."""

from __future__ import annotations

import base64
import hashlib
import re

from pyramid.response import Response

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def page_response(page: str, status: int = 200) -> Response:
    """Return a page as a response that is neither cached nor indexed by search engines.

    It may have style sheets of its own (``<style>``), images and forms, but no script.
    """
    # The comments at the start of templates leave blank lines.
    page = f"{page.strip()}\n"
    response = Response(page, content_type="text/html", charset="UTF-8", status=status)
    response.headers["Content-Security-Policy"] = _policy(page)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _policy(page: str) -> str:
    digests = (hashlib.sha256(style.encode()).digest() for style in _STYLE.findall(page))
    styles = [f"'sha256-{base64.b64encode(each).decode()}'" for each in digests] or ["'none'"]
    return (
        f"default-src 'none'; style-src {' '.join(styles)}; img-src 'self' https:;"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
