"""Locks on names and on rows."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead.db import Database, plugin_metadata
from masthead.db.locking import lock, lock_row
from masthead.errors import NotFound


class Base(DeclarativeBase):
    metadata = plugin_metadata("bank")


class Account(Base):
    __tablename__ = "bank_account"

    id: Mapped[int] = mapped_column(primary_key=True)
    balance: Mapped[int]


@pytest.fixture(autouse=True)
def account(database: Database) -> None:
    """Open account 1, which is empty."""
    Base.metadata.create_all(database.engine)
    with database.transaction() as session:
        session.add(Account(id=1, balance=0))


def test_rows_read_under_a_lock_stay_unchanged_until_the_transaction_ends(
    database: Database,
) -> None:
    def pay_in(_: int) -> None:
        with database.transaction() as session:
            lock(session, "account 1")
            session.get_one(Account, 1).balance += 1

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(pay_in, range(80)))

    with database.session(read_only=True) as session:
        assert session.scalars(select(Account.balance)).all() == [80]


@pytest.mark.parametrize("key_share", [True, False])
def test_a_locked_row_stays_as_it_is_until_the_transaction_ends(
    database: Database, key_share: bool
) -> None:
    def pay_in(_: int) -> None:
        with database.transaction() as session:
            lock_row(session, Account, 1, key_share=key_share).balance += 1

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(pay_in, range(80)))

    with database.session(read_only=True) as session:
        assert session.scalars(select(Account.balance)).all() == [80]


def test_a_locked_row_is_refreshed(database: Database) -> None:
    with database.transaction() as session:
        stale = session.get_one(Account, 1)
        session.execute(
            update(Account).values(balance=7).execution_options(synchronize_session=False)
        )
        assert stale.balance == 0

        assert lock_row(session, Account, 1).balance == 7


def test_a_missing_row_is_not_found(database: Database) -> None:
    with database.transaction() as session:
        with pytest.raises(NotFound, match="Not found"):
            lock_row(session, Account, 2)
        with pytest.raises(NotFound, match="No such account"):
            lock_row(session, Account, 2, message="No such account")
