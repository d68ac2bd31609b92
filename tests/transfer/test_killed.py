from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select

from masthead import Instance
from masthead.instance import DATA, DATABASE_URL
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance
from masthead_news.models import Article

pytestmark = pytest.mark.slow

KILLED = """
import os, signal, sys
from pathlib import Path
from masthead.instance import open_instance
from masthead.transfer.instance_import import import_instance

def report(what, done, total):
    if what == "core_tag" or what == "news_article":
        os.kill(os.getpid(), signal.SIGKILL)

data, url, folder = sys.argv[1:]
ini = {"masthead.data": data, "masthead.database.url": url}
import_instance(open_instance(ini, {}), Path(folder), report)
"""


def test_an_import_that_is_killed_has_imported_nothing_and_can_be_repeated(
    route: tuple[str, str], make_instance: Callable[[str], Instance], tmp_path: Path
) -> None:
    source, target = (make_instance(kind) for kind in route)
    with source.database.transaction() as session:
        session.add_all([Article(title=f"Article {n}", slug=f"article-{n}") for n in range(1200)])
    folder = tmp_path / "out"
    export_instance(source, folder, report=lambda *_: None)
    place = [target.settings[DATA], target.settings[DATABASE_URL], str(folder)]

    killed = subprocess.run([sys.executable, "-c", KILLED, *place], check=False, timeout=60)

    assert killed.returncode == -signal.SIGKILL
    assert _articles(target) == 0
    assert import_instance(target, folder, report=lambda *_: None)
    assert _articles(target) == 1200


def _articles(instance: Instance) -> int:
    with instance.database.session(read_only=True) as session:
        return session.scalar(select(func.count(Article.id))) or 0
