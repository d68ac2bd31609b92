"""The tables of vacancies and of applications for them."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ContentItem,
    Email,
    Int,
    Line,
    ResourceItem,
    Str,
    Timestamp,
    field,
    plugin_metadata,
)


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("vacancies")


class Vacancy(ContentItem, Base):
    """A vacancy; without a time it is open until somebody unpublishes it."""

    __tablename__ = "vacancies_vacancy"

    closes_at: Mapped[datetime | None] = field(Timestamp(), help="The time at which it closes.")
    place: Mapped[str | None] = field(Line(), help="The place of work.")
    hours: Mapped[int | None] = field(Int(1, 60), help="The hours per week.")


class Application(ResourceItem, Base):
    """An application of a visitor, with a PDF file."""

    __tablename__ = "vacancies_application"

    name: Mapped[str] = field(Line(), required=True, help="The name of the person.")
    email: Mapped[str] = field(Email(), required=True, index=True, help="The address for a reply.")
    message: Mapped[str | None] = field(Str(5_000), help="A text of the person.")
    vacancy_id: Mapped[int | None] = mapped_column(
        ForeignKey(Vacancy.id, ondelete="SET NULL"), index=True
    )
    file: Mapped[bytes] = mapped_column(LargeBinary(), deferred=True)
