"""The table of articles."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import ContentItem, Line, Timestamp, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("news")


class Article(ContentItem, Base):
    """A news article."""

    __tablename__ = "news_article"

    category: Mapped[str | None] = field(Line(), index=True)
    image_url: Mapped[str | None] = field(Url())
    published_at: Mapped[datetime | None] = field(Timestamp())
