"""An import whose process is killed, at any moment, has made all of its contacts or none."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Instance
from masthead_crm.models import Contact, ContactTag

ROWS = 2_000
KILLS = int(os.environ.get("MASTHEAD_TEST_KILLS", "4"))
PROGRAM = """
import sys
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead_crm.plugin import plugin as crm
from masthead_crm.services.importing import import_contacts

ini = {"masthead.database.url": sys.argv[1], "masthead.plugins": "crm"}
instance = open_instance(ini, {}, {"core": core, "crm": crm})
for line in sys.stdin:
    print("begins", flush=True)
    with open(line.strip(), "rb") as file:
        import_contacts(instance, file)
    print("done", flush=True)
"""


def start(url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def begin(process: subprocess.Popen[str], file: Path) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{file}\n")
    assert process.stdout.readline() == "begins\n"


def write(folder: Path, number: int) -> Path:
    rows = (f"N{number},n{number}-{row}@example.org,choir\n" for row in range(ROWS))
    file = folder / f"{number}.csv"
    file.write_text("name,email,tags\n" + "".join(rows), "utf-8")
    return file


def test_a_kill_leaves_all_of_an_import_or_nothing(
    instance: Instance, database_url: str, session: Session, tmp_path: Path
) -> None:
    process = start(database_url)
    begin(process, write(tmp_path, 0))
    began = time.monotonic()
    assert process.stdout is not None
    assert process.stdout.readline() == "done\n"
    takes = time.monotonic() - began

    for number in range(1, KILLS + 1):
        begin(process, write(tmp_path, number))
        time.sleep(random.uniform(0, 1.1 * takes))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        process = start(database_url)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    counted = select(Contact.name, func.count().label("rows")).group_by(Contact.name)
    made = {row.name: row.rows for row in session.execute(counted)}
    assert set(made.values()) == {ROWS}
    tags = session.scalar(select(func.count()).select_from(ContactTag))
    assert tags == ROWS * len(made)
    assert instance.database.dialect in database_url
