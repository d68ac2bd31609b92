"""Migrations: each plugin has a history, and an interrupted upgrade can be continued."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import ForeignKey, Index, Table, func
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead.db import Database, UTCDateTime, migrate, plugin_metadata
from masthead.errors import StartError
from masthead.plugins import Plugin
from masthead.testing.schema import schema_differences

Rows = Callable[[str], list[tuple[Any, ...]]]


class Core(DeclarativeBase):
    metadata = plugin_metadata("core", by_hand=("core_search",))


class User(Core):
    __tablename__ = "core_users"
    __table_args__ = {"sqlite_autoincrement": True}
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str | None]


users: Table = User.__table__
Index("ix_core_users_shouted", func.upper(users.c.name))
Index("ix_core_users_latest", users.c.id.desc(), users.c.name)
Index("ix_core_users_email", users.c.email, unique=True, sqlite_where=users.c.id > 5)


class News(DeclarativeBase):
    metadata = plugin_metadata("news")


class Article(News):
    __tablename__ = "news_articles"
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey(users.c.id, ondelete="CASCADE"))
    at: Mapped[Any] = mapped_column(UTCDateTime)


MAKE_USERS = """
op.create_table("core_users", sa.Column("id", sa.Integer(), nullable=False),
    sa.Column("name", sa.String(), nullable=True),
    sa.PrimaryKeyConstraint("id", name="pk_core_users"), sqlite_autoincrement=True)
op.create_index("ix_core_users_shouted", "core_users", [sa.text("upper(name)")])
op.create_index("ix_core_users_latest", "core_users", [sa.text("id DESC"), "name"])
op.execute("INSERT INTO core_users (id, name) VALUES (7, 'Ada')")
"""
ALTER_USERS = """
with op.batch_alter_table("core_users") as batch_op:
    batch_op.add_column(sa.Column("email", sa.String(), nullable=True))
    batch_op.alter_column("name", existing_type=sa.String(), nullable=False)
    batch_op.create_index("ix_core_users_email", ["email"], unique=True,
        sqlite_where=sa.text("id > 5"))
"""
MAKE_ARTICLES = """
op.create_table("news_articles", sa.Column("id", sa.Integer(), nullable=False),
    sa.Column("author_id", sa.Integer(), nullable=False),
    sa.Column("at", UTCDateTime(), nullable=False),
    sa.ForeignKeyConstraint(["author_id"], ["core_users.id"], ondelete="CASCADE",
        name="fk_news_articles_author_id"),
    sa.PrimaryKeyConstraint("id", name="pk_news_articles"))
""".replace("UTCDateTime()", "__import__('masthead').UTCDateTime()")
ADD_ARTICLE = """
op.execute("INSERT INTO news_articles VALUES (1, 7, '2026-03-01T09:30:00.000Z')")
"""


@pytest.fixture
def old_core(workshop: Any) -> Plugin:
    plugin: Plugin = workshop.plugin("core", Core, MAKE_USERS)
    return plugin


@pytest.fixture
def news(workshop: Any) -> Plugin:
    plugin: Plugin = workshop.plugin("news", News, MAKE_ARTICLES, ADD_ARTICLE)
    return plugin


def test_migrations_create_the_tables_of_the_models(
    database: Database, workshop: Any, news: Plugin
) -> None:
    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)

    migrate.upgrade(database, [news, core])

    assert schema_differences(database, [core, news]) == []


def test_a_difference_between_migrations_and_models_is_named(
    database: Database, old_core: Plugin
) -> None:
    migrate.upgrade(database, [old_core])

    found = " ".join(schema_differences(database, [old_core]))

    assert re.search(r"models: core_users: (column )?email", found)
    assert re.search(r"models: core_users: CREATE UNIQUE INDEX ix_core_users_email", found)
    assert "shouted" not in found


def test_altering_a_parent_keeps_its_children(
    database: Database, workshop: Any, old_core: Plugin, news: Plugin, rows: Rows
) -> None:
    migrate.upgrade(database, [old_core, news])

    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)
    migrate.upgrade(database, [core, news])

    assert rows("SELECT id, author_id FROM news_articles") == [(1, 7)]
    assert rows("SELECT id, name, email FROM core_users") == [(7, "Ada", None)]


def test_a_rebuilt_sqlite_table_keeps_options_indexes_and_triggers(
    sqlite: Database, workshop: Any
) -> None:
    # The long line is one statement, which must be restored unchanged.
    extras = """
op.execute("CREATE TABLE core_links (a INTEGER NOT NULL, b INTEGER, CONSTRAINT pk PRIMARY KEY (a)) STRICT, WITHOUT ROWID")
op.get_bind().exec_driver_sql(
    "CREATE TRIGGER core_told AFTER INSERT ON core_links BEGIN SELECT ':b'; END")
op.execute("CREATE INDEX core_backwards ON core_links (b  DESC, abs(a))")
"""  # noqa: E501 - one statement
    rebuild = """
with op.batch_alter_table("core_links", recreate="always") as batch_op:
    batch_op.add_column(sa.Column("c", sa.Integer(), nullable=True))
"""
    core = workshop.plugin("core", Core, extras, rebuild)

    migrate.upgrade(sqlite, [core])

    with sqlite.read() as connection:
        made = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE tbl_name = 'core_links' AND sql IS NOT NULL"
        )
        table, *others = sorted(made.scalars(), key=lambda sql: not sql.startswith("CREATE TABLE"))
    assert "c INTEGER" in table
    assert "STRICT" in table
    assert "WITHOUT ROWID" in table
    assert sorted(others) == [
        "CREATE INDEX core_backwards ON core_links (b  DESC, abs(a))",
        "CREATE TRIGGER core_told AFTER INSERT ON core_links BEGIN SELECT ':b'; END",
    ]


def test_ids_of_an_altered_table_are_never_reused(
    sqlite: Database, workshop: Any, old_core: Plugin
) -> None:
    migrate.upgrade(sqlite, [old_core])
    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)
    migrate.upgrade(sqlite, [core])

    with sqlite.transaction() as session:
        session.query(User).delete()
        newcomer = User(name="Grace")
        session.add(newcomer)

    assert newcomer.id == 8


def test_a_migration_that_breaks_a_reference_is_rolled_back(
    sqlite: Database, workshop: Any, old_core: Plugin, news: Plugin
) -> None:
    migrate.upgrade(sqlite, [old_core, news])
    core = workshop.plugin("core", Core, MAKE_USERS, 'op.execute("DELETE FROM core_users")')

    with pytest.raises(StartError, match="news_articles that refer to missing rows of core_users"):
        migrate.upgrade(sqlite, [core, news])

    assert migrate.current(sqlite, [core]) == {"core": "0001"}


def test_a_failed_revision_has_no_effect(
    database: Database, workshop: Any, old_core: Plugin
) -> None:
    """On SQLite, the earlier revisions of the upgrade have no effect either."""
    failing = f"{ADD_ARTICLE}raise ZeroDivisionError"
    news = workshop.plugin("news", News, MAKE_ARTICLES, failing)

    with pytest.raises(StartError) as failed:
        migrate.upgrade(database, [old_core, news])

    kept = {"sqlite": None, "postgresql": "0001"}[database.dialect]
    assert migrate.current(database, [old_core, news]) == {"core": "0001", "news": kept}
    assert migrate.pending(database, [old_core, news]) == ["news"]
    stays = f"stay at revision {kept}" if kept else "don't exist yet"
    line = len(failing.splitlines()) + 5
    assert re.sub(r"\([^)]*/", "(", str(failed.value)) == (
        f"the migration of news failed in revision 0002 (0002_step.py:{line}): ZeroDivisionError;"
        f" it was rolled back, so the tables of news {stays};"
        " correct it, and run masthead db upgrade again"
    )
    workshop.plugin("news", News, MAKE_ARTICLES, ADD_ARTICLE)
    migrate.upgrade(database, [old_core, news])
    assert migrate.pending(database, [old_core, news]) == []


def test_a_plugin_enabled_later_is_upgraded(
    database: Database, old_core: Plugin, news: Plugin
) -> None:
    migrate.upgrade(database, [old_core])
    assert migrate.current(database, [old_core, news]) == {"core": "0001", "news": None}

    migrate.upgrade(database, [old_core, news])

    assert migrate.current(database, [old_core, news]) == {"core": "0001", "news": "0002"}


def test_tables_of_a_disabled_plugin_stay_and_a_warning_names_it(
    database: Database,
    workshop: Any,
    old_core: Plugin,
    news: Plugin,
    rows: Rows,
    caplog: pytest.LogCaptureFixture,
) -> None:
    migrate.upgrade(database, [old_core, news])
    migrate.warn_of_others(database, [old_core, news])
    assert "has tables of" not in caplog.text

    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)
    migrate.upgrade(database, [core])
    migrate.warn_of_others(database, [core])

    assert "The database has tables of news, which masthead.plugins doesn't enable" in caplog.text

    assert migrate.pending(database, [core]) == []
    assert rows("SELECT id, author_id FROM news_articles") == [(1, 7)]


def test_a_database_newer_than_the_code_is_ready_and_unchanged(
    database: Database, workshop: Any, news: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)
    migrate.upgrade(database, [core, news])
    for newer in Path(workshop.folder).glob("*_core/migrations/versions/0002*"):
        newer.unlink()

    migrate.upgrade(database, [core, news])

    assert migrate.pending(database, [core, news]) == []
    assert migrate.current(database, [core])["core"] == "0002"
    assert {record.levelname for record in caplog.records} == {"WARNING"}
    assert "The tables of core are newer (0002) than its code" in caplog.text


UPGRADE = """
import sys
from sqlalchemy.orm import DeclarativeBase
from masthead.db import Database, migrate, plugin_metadata
from masthead.plugins import Plugin

class Core(DeclarativeBase):
    metadata = plugin_metadata("core")

url, folder, package = sys.argv[1:]
sys.path.insert(0, folder)
database = Database(url)
plugin = Plugin(name="core", hooks=(), base=Core, migrations=package)
print("ready", flush=True)
sys.stdin.readline()
migrate.upgrade(database, [plugin])
database.dispose()
"""


def start_upgrades(
    count: int, database: Database, workshop: Any, plugin: Plugin
) -> list[subprocess.Popen[str]]:
    """Start processes that upgrade at the same moment."""
    url = database.url.render_as_string(hide_password=False)
    options = [sys.executable, "-Wignore", "-Werror::ResourceWarning", "-c", UPGRADE]
    processes = [
        subprocess.Popen(
            [*options, url, workshop.folder, str(plugin.migrations)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes


@pytest.mark.slow
def test_two_concurrent_upgrades_migrate_once(
    database: Database, workshop: Any, rows: Rows
) -> None:
    slow = "import time; time.sleep(0.3)"
    core = workshop.plugin("core", Core, MAKE_USERS, slow, ALTER_USERS)

    processes = start_upgrades(2, database, workshop, core)
    errors = [process.communicate()[1] for process in processes]

    assert errors == ["", ""]
    assert rows("SELECT id, name FROM core_users") == [(7, "Ada")]
    assert migrate.pending(database, [core]) == []


@pytest.mark.slow
def test_an_upgrade_killed_halfway_is_continued(
    database: Database, workshop: Any, rows: Rows
) -> None:
    """On SQLite, it has no effect before."""
    die = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS + die)

    [process] = start_upgrades(1, database, workshop, core)
    process.communicate()

    assert process.returncode == -9
    kept = {"sqlite": None, "postgresql": "0001"}[database.dialect]
    assert migrate.current(database, [core]) == {"core": kept}
    workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS)
    migrate.upgrade(database, [core])
    assert rows("SELECT id, name, email FROM core_users") == [(7, "Ada", None)]


def test_a_revision_is_generated_from_the_models_and_creates_them(
    database: Database, workshop: Any, old_core: Plugin
) -> None:
    news = workshop.plugin("news", News)

    added = migrate.revision([old_core, news], "core", "Users have an e-mail address")
    first = migrate.revision([old_core, news], "news", "the first tables.")

    migrate.upgrade(database, [old_core, news])
    different = schema_differences(database, [old_core, news])
    assert (added.name, first.name) == (
        "0002_users_have_an_e_mail_address.py",
        "0001_the_first_tables.py",
    )
    assert different == []


def test_a_revision_reads_like_the_rest_of_the_code(workshop: Any, old_core: Plugin) -> None:
    news = workshop.plugin("news", News)

    text = migrate.revision([old_core, news], "news", "the first tables.").read_text()

    assert text.startswith('"""The first tables."""\n')
    assert "from masthead import UTCDateTime\n" in text
    assert "UTCDateTime(), nullable=False" in text
    assert "core_users" not in re.sub(r"ForeignKeyConstraint\([^)]*\)", "", text)
    assert "auto generated" not in text


def test_tables_of_handwritten_migrations_are_not_dropped_by_a_revision(
    sqlite: Database, workshop: Any
) -> None:
    search = 'op.execute("CREATE VIRTUAL TABLE core_search USING fts5(text)")'
    core = workshop.plugin("core", Core, MAKE_USERS, ALTER_USERS, search)

    text = migrate.revision([core], "core", "Nothing has changed").read_text()
    migrate.upgrade(sqlite, [core])

    assert text.endswith("def upgrade() -> None:\n    pass\n")
    assert schema_differences(sqlite, [core]) == []


def test_a_revision_of_an_unknown_plugin_is_refused(old_core: Plugin) -> None:
    with pytest.raises(StartError, match="no enabled plugin events with tables"):
        migrate.revision([old_core], "events", "Something")
