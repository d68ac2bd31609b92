"""A violation of uniqueness is a readable refusal, and the transaction can continue."""

from collections.abc import Iterator

import pytest
from sqlalchemy import UniqueConstraint, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead.db import Database, plugin_metadata
from masthead.db.unique import unique
from masthead.errors import Invalid


class Base(DeclarativeBase):
    metadata = plugin_metadata("shelf")


class Book(Base):
    __tablename__ = "shelf_book"
    __table_args__ = (UniqueConstraint("shelf", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(unique=True)
    code: Mapped[str] = mapped_column(index=True, unique=True)
    shelf: Mapped[int]
    place: Mapped[int]


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    Base.metadata.create_all(database.engine)
    with database.session() as session:
        session.add(Book(title="Emma", code="a", shelf=1, place=1))
        session.flush()
        yield session


@pytest.mark.parametrize(
    ("book", "message"),
    [
        (Book(title="Emma", code="b", shelf=1, place=2), "title taken"),
        (Book(title="Ulysses", code="a", shelf=1, place=2), "code taken"),
        (Book(title="Ulysses", code="b", shelf=1, place=1), "place taken"),
    ],
)
def test_a_violation_is_refused_with_the_message_of_its_constraint(
    session: Session, book: Book, message: str
) -> None:
    with (
        pytest.raises(Invalid, match=message),
        unique(session, "title taken", Book.title),
        unique(session, "code taken", Book.code),
        unique(session, "place taken", Book.shelf, Book.place),
    ):
        session.add(Book(title=book.title, code=book.code, shelf=book.shelf, place=book.place))


def test_a_primary_key_can_be_the_unique_column(session: Session) -> None:
    book = session.scalars(select(Book)).one()
    session.expunge(book)

    with pytest.raises(Invalid, match="id taken"), unique(session, "id taken", Book.id):
        session.add(Book(id=book.id, title="Ulysses", code="b", shelf=1, place=2))


def test_the_transaction_continues_after_a_refusal(session: Session) -> None:
    with pytest.raises(Invalid), unique(session, "title taken", Book.title):
        session.add(Book(title="Emma", code="b", shelf=1, place=2))

    with unique(session, "title taken", Book.title):
        session.add(Book(title="Ulysses", code="b", shelf=1, place=2))
    session.commit()

    assert session.scalars(select(Book.title).order_by(Book.id)).all() == ["Emma", "Ulysses"]


def test_a_violation_of_another_constraint_passes(session: Session) -> None:
    with pytest.raises(IntegrityError), unique(session, "title taken", Book.title):
        session.add(Book(title="Ulysses", code="a", shelf=1, place=2))
