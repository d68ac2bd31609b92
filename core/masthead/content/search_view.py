"""The public endpoint of the search in all types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from masthead.content.public_parameters import TAG_FILTER
from masthead.content.schemas import SEARCH
from masthead.content.shapes import DIR, DIR_KIND, LANG
from masthead.content.site_search import SiteSearch
from masthead.http.endpoints import Endpoint
from masthead.http.environ import TOTALS
from masthead.http.images import STORED_IMAGE
from masthead.http.list_query import Names
from masthead.http.paging import Page, Window
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.resources.declaration import ID_HELP
from masthead.schemas.field_types import Choice, FieldType, Int, Str, Timestamp, Url
from masthead.schemas.html_type import Html
from masthead.schemas.language_tags import LANG_HELP, LanguageTag
from masthead.schemas.schema import ListOf, Object, optional, required, schema

DEFAULT_LIMIT, MOST = 20, 100
"""The default limit and the maximum, because each snippet takes time."""


class Share(FieldType):
    """A number from 0 to 1."""

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": 0, "maximum": 1}


def search_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoint, if the instance has content types or resources to search in."""
    search = SiteSearch(instance)
    if not search.names:
        return []
    query = {
        "q": SEARCH["search"],
        "types": optional(
            Names(*search.names),
            nullable=False,
            help="The content types and resources to search in; by default all of them.",
        ),
        "tag": TAG_FILTER,
    }
    return [
        Endpoint(
            name="search.list",
            method="GET",
            path="/api/search",
            view=partial(show_hits, search),
            permission=PUBLIC,
            summary="Search published content of all types",
            description="The best hits first, each with a part of its text, and the number of hits"
            " of each type.",
            returns=_answer(search.names),
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


def _answer(names: Sequence[str]) -> Object:
    type_ = required(Choice(*names), help="The name of the content type or resource.")
    hit = {
        "type": type_,
        "id": required(Int(1), help=ID_HELP),
        "slug": required(
            Str(),
            nullable=True,
            help="Its slug; null for an item without a page of its own, such as a person.",
            example="open-again",
        ),
        "title": required(Str(), help="Its title.", example="The garden is open again"),
        "url": required(Url(), help="The address at which the website shows it."),
        "snippet": required(
            Html(),
            help="A part of its text as safe HTML, in which the found words are marked.",
            example="The <mark>garden</mark> is <mark>open</mark> again.",
        ),
        "image": required(STORED_IMAGE, help="Its image; null for one without a stored image."),
        "rank": required(Share(), help="How well it fits, from 0 to 1.", example=0.75),
        "date": required(Timestamp(), help="Its date: that of its type, or of its last change."),
        LANG: required(LanguageTag(), nullable=True, help=LANG_HELP, example="de"),
        DIR: required(DIR_KIND),
    }
    count = {"type": type_, "count": required(Int(0), help="The number of its hits.")}
    hits = Object(schema(hit, name="SearchHit", help="A published item that a search finds."))
    counts = Object(schema(count, name="SearchCount", help="The hits of one type."))
    found = {
        "items": required(ListOf(hits), help="The hits, the best first."),
        "types": required(ListOf(counts), help="The number of hits of each type."),
    }
    return Object(schema(found, name="SearchResults", help="The hits of a search."))
