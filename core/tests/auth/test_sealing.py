"""Encrypted values: for one purpose, for some time, and with a former secret."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import ID, Plugin, is_unreadable, plugin_metadata, seal, sealed_column, unseal
from masthead.auth.sealed_columns import reseal_all, sealed_trouble
from masthead.auth.sealing import seal_prefixes
from masthead.auth.tokens import SECRETS
from masthead.db import Database
from masthead.instance import Instance, open_instance
from masthead.testing import Clock

OLD, NEW, OTHER = (f"{digit}7e23ec29af22b0b4e41da31e868d572" for digit in "123")


class Base(DeclarativeBase):
    metadata = plugin_metadata("harbour")


class Safe(Base):
    __tablename__ = "harbour_safe"

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    word: Mapped[str | None] = mapped_column(info=sealed_column("harbour.word", plain="plain"))
    plain: Mapped[str | None]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [Plugin(name="harbour", hooks=(), base=Base)]


@pytest.fixture
def with_secrets(database: Database, plugins: list[Plugin]) -> Any:
    """Return a function that opens the database with other secrets."""
    url = database.url.render_as_string(hide_password=False)
    opened: list[Instance] = []

    def open_with(*secrets: str) -> Instance:
        ini = {"masthead.database.url": url, SECRETS.name: " ".join(secrets)}
        from masthead.core_plugin import plugin as core

        opened.append(open_instance(ini, {}, {each.name: each for each in (core, *plugins)}))
        return opened[-1]

    yield open_with
    for each in opened:
        each.close()


def test_a_text_is_valid_for_its_purpose_and_time(instance: Instance, clock: Clock) -> None:
    lasting = seal(instance, "a", {"b": [1, "c"]})
    short = seal(instance, "a", "d", timedelta(minutes=1))

    assert unseal(instance, "a", lasting) == {"b": [1, "c"]}
    assert unseal(instance, "a", short) == "d"
    assert unseal(instance, "b", lasting) is None
    clock.shift(seconds=60)
    assert unseal(instance, "a", short) is None
    assert unseal(instance, "a", lasting) is not None
    head, *_ = short.split(".")
    for wrong in ("", "x", lasting[:-2], f"{head}....", lasting.replace(".", ""), "\u00e9.a.b.c.d"):
        assert unseal(instance, "a", wrong) is None


@pytest.mark.parametrize(
    "header",
    [
        b'{"alg": "dir", "enc": []}',
        b'{"alg": [], "enc": "A256GCM"}',
        b'{"alg": "dir", "enc": "A256GCM", "crit": 1}',
        b'{"alg": "dir", "enc": "A256GCM", "zip": 1}',
        b'["alg", "enc"]',
        b"null",
        b"[" * 14_000,
    ],
)
def test_a_forged_header_is_refused(instance: Instance, header: bytes) -> None:
    parts = seal(instance, "a", 1).split(".")
    parts[0] = urlsafe_b64encode(header).decode().rstrip("=")

    assert unseal(instance, "a", ".".join(parts)) is None


def test_values_outlive_their_secret(with_secrets: Any, session: Session) -> None:
    Base.metadata.create_all(session.connection())
    session.commit()
    before, between, after = (with_secrets(*each) for each in ((OLD,), (NEW, OLD), (NEW,)))
    with before.database.transaction() as writing:
        writing.add_all(Safe(word=seal(before, "harbour.word", f"word {n}")) for n in range(205))
        writing.add_all(Safe(plain=f"plain {n}") for n in range(2))
        writing.add(Safe(word=seal(with_secrets(OTHER), "harbour.word", "lost")))
        writing.add(Safe())

    assert sealed_trouble(after) == (
        "no secret decrypts the values of these rows: 206 of harbour_safe"
    )
    with between.database.transaction() as writing:
        reseal_all(writing)

    [lost] = session.scalars(select(Safe).where(is_unreadable(after, Safe.word)))
    rows = session.scalars(select(Safe).order_by(Safe.id)).all()
    found = [unseal(after, "harbour.word", row.word or "") for row in rows]
    words = [*(f"word {n}" for n in range(205)), "plain 0", "plain 1"]
    assert found == [*words, None, None]
    assert lost is rows[-2]
    assert not any(row.plain for row in rows)


def test_the_prefix_is_that_of_the_texts(with_secrets: Any) -> None:
    instance = with_secrets(NEW, OLD)

    new, old = seal_prefixes(instance, "a")

    assert seal(instance, "a", "b").startswith(new)
    assert seal(with_secrets(OLD), "a", "b").startswith(old)
