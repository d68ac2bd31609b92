"""The hooks that decide something, or provide data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from masthead.approval.publications import Objection, Publication
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
def masthead_publishing(
    session: Session, publications: Sequence[Publication]
) -> Sequence[Objection]:
    """Called before anything becomes public, and before an approval or a vote for it.

    :param session: the session of the transaction; nothing may be written with it.
    :param publications: the values of items of one kind that would become public: those of all
        items of the operation, so find everything about them with one query.
    :return: the objections; an item with one stays as it is, and its editor reads all of them.

    Raising a refusal refuses all items of the operation.
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
