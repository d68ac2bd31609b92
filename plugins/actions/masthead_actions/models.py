"""The actions' table."""

from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import ContentItem, Int, Str, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """What the models of this plugin derive from."""

    metadata = plugin_metadata("actions")


class Action(ContentItem, Base):
    """A call to action: a campaign, a project, a way to take part."""

    __tablename__ = "actions_action"

    icon: Mapped[str | None] = field(Str())
    gradient_class: Mapped[str | None] = field(Str())
    accent_class: Mapped[str | None] = field(Str())
    link: Mapped[str | None] = field(Url())
    cover_image_url: Mapped[str | None] = field(Url())
    display_order: Mapped[int] = field(Int(), staged=False, default=0)
