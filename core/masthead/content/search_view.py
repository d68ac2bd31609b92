"""The public endpoint of the search in all content types."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead.content.contenttype import content_types_of
from masthead.content.schemas import SEARCH
from masthead.content.site_search import SiteSearch
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.images import IMAGE
from masthead.http.list_query import Names
from masthead.http.paging import TEXT_FILTER, Page, Window
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.schemas.field_types import Choice, FieldType, Html, Int, Str, Timestamp, Url
from masthead.schemas.schema import ListOf, Object, optional, required, schema

DEFAULT_LIMIT, MOST = 20, 100
"""The default limit and the maximum, because each snippet takes time."""


class Share(FieldType):
    """A number from 0 to 1."""

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": 0, "maximum": 1}


def search_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoint, if the instance has content types."""
    names = [content_type.name for content_type in content_types_of(instance)]
    if not names:
        return []
    query = {
        "q": SEARCH["search"],
        "types": optional(Names(*names), nullable=False),
        "tag": optional(TEXT_FILTER, nullable=False),
    }
    return [
        Endpoint(
            name="search.list",
            method="GET",
            path="/api/search",
            view=partial(show_hits, SiteSearch(instance)),
            permission=PUBLIC,
            summary="Search published content of all types",
            returns=_answer(names),
            query=schema(query),
            page=DEFAULT_LIMIT,
        )
    ]


def show_hits(search: SiteSearch, request: Request) -> Page:
    """Return a part of the hits, and the number of hits of each type."""
    query, totals = request.query, request.environ.get(TOTALS)
    request.window = Window(min(request.window.limit, MOST), request.window.offset)
    found = search.find(
        request.db.connection(),
        request.window,
        query.get("q", ""),
        query.get("types", ()),
        query.get("tag"),
        totals,
    )
    types = [{"type": name, "count": count} for name, count in found.counts.items()]
    return Page(dump_json({"items": found.items, "types": types}), found.total)


def _answer(names: list[str]) -> Object:
    item = {
        "type": required(Choice(*names)),
        "id": required(Int(1)),
        "slug": required(Str()),
        "title": required(Str()),
        "url": required(Url()),
        "snippet": required(Html()),
        "image": required(IMAGE),
        "rank": required(Share()),
        "date": required(Timestamp()),
    }
    count = {"type": required(Choice(*names)), "count": required(Int(0))}
    found = {"items": ListOf(Object(schema(item))), "types": ListOf(Object(schema(count)))}
    return Object(schema({name: required(kind) for name, kind in found.items()}))
