"""The public list of redirects from former addresses."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    bindparam,
    cast,
    func,
    literal,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import Session

from masthead.content.contenttype import content_types_of
from masthead.content.visibility import now_parameters, readable
from masthead.db import ID
from masthead.http.addresses import item_path
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, TEXT_FILTER, Page, Window
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.instance import Instance, instance_of
from masthead.resources.kept import PUBLISHED
from masthead.resources.redirects import Redirect, former_path
from masthead.schemas.field_types import Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.tags.models import FormerTagSlug, Tag

_SLUG = "{slug}"
TAGS = "tags"
"""The name of tags among the paths of the website."""
_REDIRECT = schema(
    {
        "from": required(Str(), help="The former path.", example="/2019/garden"),
        "to": required(Str(), help="The present path.", example="/news/garden"),
    },
    name="Redirect",
    help="A path of the website that has changed.",
)
_QUERY = schema(
    {
        "from": optional(
            TEXT_FILTER,
            nullable=False,
            help="A former path or address; only its redirect is listed.",
        )
    }
)


@endpoint(
    "GET",
    "/api/redirects",
    name="redirects.list",
    permission=PUBLIC,
    returns=ListOf(Object(_REDIRECT)),
    query=_QUERY,
    page=MOST_ROWS,
)
def list_redirects(request: Request) -> Page:
    """List the redirects from former paths of the website."""
    reading = instance_of(request.db).shared(RedirectReading)
    return reading.page(request.db, request.window, request.query.get("from"))


class RedirectReading:
    """The statements that read the redirects to everything that the public sees."""

    def __init__(self, instance: Instance) -> None:
        to_path = select(Redirect.id, Redirect.path, Redirect.target.label("target"))
        parts: list[Select[*tuple[Any, ...]]] = [to_path.where(Redirect.target.is_not(None))]
        for content_type in content_types_of(instance):
            table = content_type.table
            path = _filled(item_path(instance.settings, content_type.name), table.c.slug)
            parts.append(_to_items(content_type.name, table.c.id, path, readable(table)))
        for resource in instance.resources.values():
            if resource.site_path:
                columns = resource.columns
                path = _filled(resource.site_path, columns["slug"])
                is_visible = columns[PUBLISHED] == true() if PUBLISHED in columns else true()
                parts.append(_to_items(resource.name, columns["id"], path, is_visible))
        parts.append(_to_tags(item_path(instance.settings, TAGS)))
        found = union_all(*parts).subquery()
        listed = select(found.c.path.label("from"), found.c.target.label("to"))
        self._list = listed.order_by(found.c.id, found.c.path)
        self._count = select(func.count()).select_from(found)
        self._path = found.c.path

    def page(self, session: Session, window: Window, former: str | None) -> Page:
        """Return a part of the redirects, in the order in which they were added.

        :param former: a former path or address; only its redirect is returned.
        """
        listed, count, parameters = self._list, self._count, now_parameters()
        if former:
            try:
                wanted = former_path(former)
            except ValueError:
                return Page([], 0)
            listed = listed.where(self._path == wanted)
            count = count.where(self._path == wanted)
        total = session.execute(count, parameters).scalar_one()
        part = listed.limit(bindparam("limit")).offset(bindparam("offset"))
        bounds = {"limit": window.limit, "offset": window.offset}
        return Page(session.execute(part, parameters | bounds).mappings().all(), total)


def _filled(pattern: str, slug: Any) -> ColumnElement[str]:
    """Return a path with the slug instead of its placeholder."""
    before, _, after = pattern.partition(_SLUG)
    filled: ColumnElement[str] = literal(before, Text) + slug + literal(after, Text)
    return filled


def _to_tags(pattern: str) -> Select[*tuple[Any, ...]]:
    """Return the redirects from the former slugs of tags."""
    former = FormerTagSlug.__table__.c
    path, present = _filled(pattern, former.slug), _filled(pattern, Tag.slug)
    # No order is known, so they come first.
    return (
        select(literal(0, ID).label("id"), path.label("path"), present.label("target"))
        .join_from(FormerTagSlug, Tag, FormerTagSlug.tag_id == Tag.id)
        .where(FormerTagSlug.slug != Tag.slug)
    )


def _to_items(
    kind: str, item_id: Any, path: ColumnElement[str], is_visible: ColumnElement[bool]
) -> Select[*tuple[Any, ...]]:
    """Return the redirects to visible items of a kind whose path has changed."""
    return (
        select(Redirect.id, Redirect.path, cast(path, Text).label("target"))
        .join_from(Redirect, item_id.table, Redirect.item_id == item_id)
        .where(Redirect.kind == kind, is_visible, Redirect.path != path)
    )
