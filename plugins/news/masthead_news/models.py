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

    category: Mapped[str | None] = field(
        Line(), index=True, help="The section that it belongs to.", example="River"
    )
    image_url: Mapped[str | None] = field(
        Url(),
        help="The address of its image.",
        example="/api/images/images/1772357400000-3f9a.webp",
    )
    published_at: Mapped[datetime | None] = field(
        Timestamp(), help="The date that readers see; by default the time of its first publishing."
    )
