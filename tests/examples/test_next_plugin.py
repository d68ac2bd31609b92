"""A rolling upgrade of core and of a plugin under load fails no request and loses no write."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from masthead.db.kit import steps
from tests.examples.side_by_side import Load, serving

pytestmark = pytest.mark.exhaustive

ROOT = Path(__file__).parents[2]
REVISION = '''
"""Add notes to articles, and find articles by them."""

import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"


def upgrade() -> None:
    {operation}
'''
ADD = 'op.add_column("news_article", sa.Column("note", sa.Text(), nullable=True))'
INDEX = (
    "from masthead import create_index_concurrently\n\n"
    '    create_index_concurrently("ix_news_article_note", "news_article", ["note"])'
)
NOTE = """
    note: Mapped[str | None] = field(Line(), index=True)
"""
"""The field that the next release adds to the end of the model, the last class of its module."""


@pytest.fixture
def next_release(new: Any, next_core: Path, tmp_path: Path) -> Any:
    """The next core with the next release of the plugin, on the same database."""
    folder = tmp_path / "next"
    shutil.copytree(next_core, folder)
    news = shutil.copytree(ROOT / "plugins/news/masthead_news", folder / "masthead_news")
    for number, operation in (("0002", ADD), ("0003", INDEX)):
        before = f"{int(number) - 1:04}"
        text = REVISION.format(number=number, before=before, operation=operation)
        (news / "migrations/versions" / f"{number}_notes.py").write_text(text, "utf-8")
    models = news / "models.py"
    models.write_text(models.read_text("utf-8") + NOTE, "utf-8")
    return replace(new, environ={**new.environ, "PYTHONPATH": str(folder)})


def test_a_rolling_upgrade_of_core_and_a_plugin_fails_no_request(
    old: Any, next_release: Any
) -> None:
    with serving(old) as (first, printed):
        [password] = re.findall(r"password: (\S+)", printed)
        with Load(first, {"username": "admin", "password": password}) as load:
            with serving(old) as (second, _):
                load.addresses.append(second)
                load.go_on(10)
                upgraded = next_release.run("masthead", "db", "upgrade")
                load.go_on(20)
                load.addresses.remove(second)
                load.go_on(9)
            with serving(next_release) as (second, _):
                load.addresses.append(second)
                load.go_on(20)
                noted = load.ask(second, "/api/staff/news", {"title": "Mulch", "note": "deep"})
                path = f"/api/staff/news/{noted['id']}"
                load.ask(first, path, {"title": "Leaf mulch"}, "PUT")
                kept = load.ask(second, path)
                load.addresses.remove(first)
                load.go_on(9)
                load.end()
                found = load.ask(second, "/api/staff/news?limit=1000")

    assert load.failures == []
    assert re.match(r"Migrated .*news", upgraded)
    assert (kept["title"], kept["note"]) == ("Leaf mulch", "deep")
    assert {item["id"] for item in found} >= load.written
    assert "Traceback" not in (old.folder / "log").read_text()
    status = next_release.run("masthead", "db", "status")
    assert re.search(rf"^news +0003 +{steps.newest() + 2} +ok$", status, re.MULTILINE)
