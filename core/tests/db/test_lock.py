"""Locks by name."""

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead.db import Database, plugin_metadata
from masthead.db.lock import lock


class Base(DeclarativeBase):
    metadata = plugin_metadata("bank")


class Account(Base):
    __tablename__ = "bank_account"

    id: Mapped[int] = mapped_column(primary_key=True)
    balance: Mapped[int]


def test_what_is_read_under_a_lock_stays_true_until_the_transaction_ends(
    database: Database,
) -> None:
    Base.metadata.create_all(database.engine)
    with database.transaction() as session:
        session.add(Account(id=1, balance=0))

    def pay_in(_: int) -> None:
        with database.transaction() as session:
            lock(session, "account 1")
            session.get_one(Account, 1).balance += 1

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(pay_in, range(80)))

    with database.session(read_only=True) as session:
        assert session.scalars(select(Account.balance)).all() == [80]
