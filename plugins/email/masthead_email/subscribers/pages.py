"""The pages behind the links in mails: their endpoints, language and rendering."""

from __future__ import annotations

from functools import partial

from pyramid.response import Response

from masthead import PUBLIC, Request, endpoint, page_response, texts_of


def respond(
    request: Request,
    template: str,
    language: str | None = None,
    *,
    status: int = 200,
    **values: object,
) -> Response:
    """Return a page in the language of its reader.

    :param template: such as ``email/confirm.html``.
    :param language: the reader's language; if it isn't known, or has no translations, it is that of
        the browser, else that of the organisation.
    :param values: the values that the template uses, beside ``status``.
    """
    texts = texts_of(request.db)
    chosen = texts.language(language, accepted_language(request))
    page = texts.render(template, chosen, status=status, **values)
    return page_response(page, status)


def refusal_page(request: Request, status: int, message: str) -> Response:
    """Return the page of a refused request.

    :param message: the reason in English, which templates may show.
    """
    return respond(request, "email/refused.html", status=status, message=message)


def accepted_language(request: Request) -> str | None:
    """Return the language that the browser asks for; None if it has no translations."""
    return texts_of(request.instance).accepted(request.headers.get("Accept-Language"))


page_endpoint = partial(endpoint, permission=PUBLIC, returns="text/html", refusal_page=refusal_page)
"""Declares a public endpoint that answers with a page, also if it refuses the request."""
