"""Tables that differ from the models: comparison, doubts about revisions, failed statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import ForeignKey, Table
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead.db import Database, UTCDateTime, migrate, plugin_metadata
from masthead.db.comparing import differences
from masthead.errors import StartError
from masthead.plugins import Plugin


class Core(DeclarativeBase):
    metadata = plugin_metadata("core")


class User(Core):
    __tablename__ = "core_users"
    id: Mapped[int] = mapped_column(primary_key=True)


users: Table = User.__table__


class News(DeclarativeBase):
    metadata = plugin_metadata("news")


class Article(News):
    __tablename__ = "news_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey(users.c.id, ondelete="CASCADE"))
    at: Mapped[Any] = mapped_column(UTCDateTime)


class Renamed(DeclarativeBase):
    """The models of a later release of news."""

    metadata = plugin_metadata("news")


class Entry(Renamed):
    __tablename__ = "news_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    writer_id: Mapped[int] = mapped_column(ForeignKey(users.c.id, ondelete="CASCADE"))
    at: Mapped[Any] = mapped_column(UTCDateTime, nullable=True)
    stars: Mapped[int]


class Author(Renamed):
    __tablename__ = "news_authors"
    id: Mapped[int] = mapped_column(primary_key=True)


MAKE_USERS = """
op.create_table("core_users", sa.Column("id", sa.Integer(), nullable=False),
    sa.PrimaryKeyConstraint("id", name="pk_core_users"))
"""
MAKE_ARTICLES = """
op.create_table("news_articles", sa.Column("id", sa.Integer(), nullable=False),
    sa.Column("author_id", sa.Integer(), nullable=False),
    sa.Column("at", __import__("masthead").UTCDateTime(), nullable=False),
    sa.ForeignKeyConstraint(["author_id"], ["core_users.id"], ondelete="CASCADE",
        name="fk_news_articles_author_id"),
    sa.PrimaryKeyConstraint("id", name="pk_news_articles"))
"""


@pytest.fixture
def core(workshop: Any) -> Plugin:
    plugin: Plugin = workshop.plugin("core", Core, MAKE_USERS)
    return plugin


@pytest.fixture
def news(workshop: Any) -> Plugin:
    plugin: Plugin = workshop.plugin("news", News, MAKE_ARTICLES)
    return plugin


def test_the_models_and_the_tables_are_compared_by_names(
    database: Database, core: Plugin, news: Plugin
) -> None:
    migrate.upgrade(database, [core, news])
    later = replace(news, base=Renamed)

    assert differences(database, [news]) == []
    assert sorted(differences(database, [later])) == [
        "news: news_articles lacks the column stars",
        "news: news_articles lacks the column writer_id",
        "news: news_articles lacks the foreign key fk_news_articles_writer_id",
        "news: no model declares the column news_articles.author_id",
        "news: no model declares the foreign key fk_news_articles_author_id of news_articles",
        "news: nullable of news_articles.at is False, the model has True",
        "news: the database lacks the table news_authors",
    ]


def test_a_revision_that_may_be_a_rename_is_questioned(
    core: Plugin, news: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    migrate.revision([core, replace(news, base=Renamed)], "news", "More")

    rename, required = [each.message for each in caplog.records if "The revision" in each.message]
    assert rename == (
        "The revision adds news_articles.writer_id and drops author_id of the same type, with its"
        " values. If that is a rename, write alter_column('author_id', new_column_name='writer_id')"
        " instead"
    )
    assert required.startswith(
        "The revision adds news_articles.stars, which is required and has no server_default"
    )


def test_a_failed_statement_is_shown_with_the_words_of_the_driver(
    database: Database, workshop: Any, core: Plugin
) -> None:
    broken = workshop.plugin("news", News, 'op.execute("DELETE FROM  news_article")')
    later = workshop.plugin("garden", News, MAKE_ARTICLES)

    with pytest.raises(StartError) as failed:
        migrate.upgrade(database, [core, broken, later])

    words = {
        "sqlite": "OperationalError: no such table: news_article, in DELETE FROM news_article;",
        "postgresql": 'UndefinedTable: relation "news_article" does not exist',
    }
    assert words[database.dialect] in str(failed.value)
    assert "in DELETE FROM news_article; it was rolled back" in str(failed.value)
    assert "; not migrated yet: garden;" in str(failed.value)
