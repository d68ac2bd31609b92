"""How news joins Masthead: one content type, which the kit does the rest for."""

from __future__ import annotations

from datetime import datetime

from masthead import Approvable, ContentType, Demo, Feed, NavigationEntry, Plugin, hookimpl
from masthead_news.demo import show_news
from masthead_news.models import Article, Base


def date_article(article: Article, published: datetime | None, before: datetime | None) -> None:
    """Date an article that has no date of its own by the time it first becomes public."""
    if article.published_at in (None, before):
        article.published_at = published


NEWS = ContentType(
    name="news",
    label="News Article",
    model=Article,
    order="-publishedAt",
    staff_order=("-createdAt",),
    related_by=("category",),
    page=50,
    feed=Feed(date="publishedAt", category="category", image="imageUrl"),
    first_published=date_article,
)


class Hooks:
    """What news answers to core's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """News articles."""
        return [NEWS]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The page that lists articles."""
        return [NavigationEntry("news", "News", "/news", order=50)]

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """Articles, of which one is a draft."""
        show_news(demo)


plugin = Plugin(name="news", hooks=(Hooks(),), base=Base, migrations="masthead_news.migrations")
