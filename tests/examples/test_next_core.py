"""A core with new steps of the kit works with plugins that were built before."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from masthead.db.kit import steps
from tests.examples.side_by_side import Load, serving

ROOT = Path(__file__).parents[2]
NEXT = steps.newest() + 2
# The contract of a content type, and tests of tables with the other kits.
TESTS = {
    "examples/masthead_podcasts": ["test_podcasts.py"],
    "plugins/crm": ["test_contacts.py"],
    "plugins/email": ["test_newsletters.py"],
    "plugins/site": ["test_static_images.py"],
}


@pytest.mark.exhaustive
def test_plugins_built_before_keep_the_contract_on_upgraded_tables(old: Any, new: Any) -> None:
    old.run("masthead", "db", "upgrade")
    before = subprocess.run(
        new.command("masthead", "db", "status"),
        cwd=new.folder,
        env=new.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    upgraded = new.run("masthead", "db", "upgrade")
    after = new.run("masthead", "db", "status")

    assert before.returncode == 1
    assert f"the tables of podcasts lack kit {NEXT}; run masthead db upgrade" in before.stdout
    assert re.match(r"Migrated actions, crm, .*podcasts", upgraded)
    assert re.search(rf"^podcasts +0001 +{NEXT} +ok$", after, re.MULTILINE)
    for folder in TESTS:
        shutil.copytree(ROOT / folder / "tests", new.folder / folder)
    chosen = [f"{folder}/{name}" for folder, names in TESTS.items() for name in names]
    url = new.environ["MASTHEAD_DATABASE_URL"]
    options = ["-q", "--import-mode=importlib", "--from-database", url, "-m", "not slow"]
    summary = new.run("pytest", "--rootdir", ".", *options, *chosen).splitlines()[-1]
    assert re.match(r"\d\d\d+ passed\b", summary)


@pytest.mark.slow
def test_servers_of_both_cores_answer_while_a_step_is_applied(old: Any, new: Any) -> None:
    with serving(old) as (first, printed):
        [password] = re.findall(r"password: (\S+)", printed)
        with Load(first, {"username": "admin", "password": password}) as load:
            load.go_on(10)
            with serving(new) as (second, _):
                load.addresses.append(second)
                load.go_on(30)
                ready = [load.ask(address, "/readyz")["status"] for address in (first, second)]
                load.end()

    assert load.failures == []
    assert ready == ["ok", "ok"]
    assert "Traceback" not in (old.folder / "log").read_text()
    assert re.search(
        rf"^news +0001 +{NEXT} +ok$", new.run("masthead", "db", "status"), re.MULTILINE
    )
