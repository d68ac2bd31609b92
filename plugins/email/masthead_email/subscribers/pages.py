"""The pages behind the links in mails: the choice of their language, and their rendering."""

from __future__ import annotations

from pyramid.response import Response

from masthead import Request, page_response, texts_of


def respond(
    request: Request, template: str, language: str | None = None, **values: object
) -> Response:
    """Return a page in the language of its reader.

    :param template: such as ``email/confirm.html``.
    :param language: the reader's language; if it isn't known, or has no translations, it is that of
        the browser, else that of the organisation.
    :param values: the values that the template uses.
    """
    return page_response(_render(request, template, language, **values))


def refusal_page(request: Request, status: int, message: str) -> Response:
    """Return the page of a refused request.

    :param message: the reason in English, which templates may show.
    """
    page = _render(request, "email/refused.html", None, status=status, message=message)
    return page_response(page, status)


def _render(request: Request, template: str, language: str | None, **values: object) -> str:
    texts = texts_of(request.instance)
    chosen = texts.language(language, texts.accepted(request.headers.get("Accept-Language")))
    return texts.render(template, chosen, **values)
