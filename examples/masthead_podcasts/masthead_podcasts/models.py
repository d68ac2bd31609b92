"""The table of episodes; every content type has title, description, content and tags as well."""

from datetime import datetime

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import Choice, ContentItem, Int, Timestamp, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("podcasts")


class Episode(ContentItem, Base):
    """An episode of a podcast."""

    __tablename__ = "podcasts_episode"

    audio_url: Mapped[str] = field(Url(), required=True)
    audio_type: Mapped[str] = field(Choice("audio/mpeg", "audio/mp4", "audio/ogg"), required=True)
    audio_bytes: Mapped[int] = field(Int(1), required=True)
    season: Mapped[int | None] = field(Int(1), index=True)
    published_at: Mapped[datetime | None] = field(Timestamp())
