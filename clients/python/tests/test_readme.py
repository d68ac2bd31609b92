"""The Python blocks of the pages run as one program, and ``mypy --strict`` understands them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.conftest import ROOT, Document
from tests.journeys.conftest import Site

pytestmark = pytest.mark.slow

README = Document(Path(__file__).parents[1] / "README.md")
PAGES = [README, Document(ROOT / "docs/clients.md"), Document(ROOT / "README.md")]
ADDRESS = "http://127.0.0.1:6543"
TOO_LONG = 300


def run(*command: str) -> str:
    """Run a command of this Python, which must succeed, and return its output."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        env={**os.environ, "MYPYPATH": "."},
        capture_output=True,
        text=True,
        timeout=TOO_LONG,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_blocks_of_the_pages_run_and_have_types(
    site: Site, password: str, folder: Path
) -> None:
    blocks = [block for page in PAGES for block in page.blocks("python")]
    written = "\n".join(blocks).replace("…", password)
    (folder / "pages.py").write_text(written.replace(ADDRESS, site.address))
    shown = re.search(r"^python -m (masthead_client\.generate .+)$", README.path.read_text(), re.M)
    assert shown

    run(*shown[1].replace(ADDRESS, site.address).split())
    use = Path(__file__).with_name("use_of_types.py")
    run("mypy", "--strict", "--config-file=", "pages.py", str(use))
    printed = run("pages").splitlines()

    assert "title required Required" in printed
    assert printed[-1].endswith("Z The garden opens")
    assert "1 imported" in printed
    assert "The path is open! draft" in printed
    assert any(line.startswith("changed ") for line in printed)
    assert (folder / "events.ics").read_bytes().startswith(b"BEGIN:VCALENDAR")
    assert b"ada@example.org" in (folder / "contacts.csv").read_bytes()
