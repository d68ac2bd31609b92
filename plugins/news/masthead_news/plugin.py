"""News as a plugin: one content type, which gets endpoints, approval, search and feed from core."""

from __future__ import annotations

from masthead import (
    Approvable,
    ContentType,
    Demo,
    Feed,
    NavigationEntry,
    Plugin,
    hookimpl,
    translatable,
)
from masthead_news.demo import create_articles
from masthead_news.models import Article, Base

NEWS = ContentType(
    name="news",
    label=translatable("News Article"),
    model=Article,
    order="-publishedAt",
    staff_order=("-createdAt",),
    related_by=("category",),
    search_fields=("title", "description", "content", "category"),
    page=50,
    feed=Feed(date="publishedAt", category="category", image="imageUrl"),
    first_published="publishedAt",
    example={
        "title": "The path along the river is open again",
        "description": "Nine weekends, sixty people, and a handrail on both sides.",
        "content": "<p>After nine weekends the path along the bank is open again.</p>",
    },
)


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of articles."""
    return [NEWS]


@hookimpl
def masthead_navigation() -> list[NavigationEntry]:
    """Return the page that lists articles."""
    return [NavigationEntry("news", "News", "/news", order=50)]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create the demo's articles, one of them a draft."""
    create_articles(demo)


plugin = Plugin(
    name="news",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_news.migrations",
    texts="masthead_news.texts",
)
