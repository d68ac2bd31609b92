"""The hooks that decide something, or provide data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from masthead.http.request import Request
    from masthead.ports.sitemap import SitemapEntry
    from masthead.ports.uses import ItemUse

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_check_submission(request: Request, kind: str, data: Mapping[str, Any]) -> None:
    """Called before a form of an anonymous visitor is stored.

    :param request: the request, for its address and headers.
    :param kind: the kind of the form in the plural: ``contact-messages``.
    :param data: the validated body by wire name.

    Raising ``Refused`` refuses the form with the message; the first refusal wins.
    """


@hookspec
def masthead_uses(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    """Called before an item of a content type or resource is deleted.

    :param session: the session of the transaction; the items are locked.
    :param kind: the name of their content type or resource, such as ``email-templates``.
    :param ids: the ids of the items.
    :return: the items of the plugin that refer to one of them and would not work without it.

    Raising fails the request, and the items stay.
    """


@hookspec
def masthead_sitemap(session: Session) -> list[SitemapEntry]:
    """Called when a sitemap is generated.

    :param session: a session for reading.
    :return: the public pages of the plugin other than its content types, which may only depend on
        the database, because sitemaps are cached until something is written there.

    Raising fails the request.
    """
