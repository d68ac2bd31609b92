"""The ``sh`` blocks of each page run, as if a reader typed them into one terminal.

The blocks of a page run one after the other, with a new server. Dots are replaced by the password
that the server printed. Commands that don't run on every machine are in ``console`` blocks.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

TOO_LONG = 300
SERVE = "from masthead.cli import main; main()"
ADDRESS = "http://127.0.0.1:6543"
DOTS = "…"
MISSING = [program for program in ("bash", "curl") if shutil.which(program) is None]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """The environment of a terminal with Masthead installed and nothing configured."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("MASTHEAD_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{found.get('PATH', os.defpath)}"
    # Makes curl fail for an error status, without an option in each command of the page.
    (tmp_path / ".curlrc").write_text("fail-with-body\n")
    return found | {"PATH": path, "HOME": str(tmp_path), "CURL_HOME": str(tmp_path)}


@pytest.fixture
def printed(environ: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The output of a server's first start, up to its address."""
    command = [sys.executable, "-c", SERVE, "serve", "--port", "0"]
    with (
        (tmp_path / "server.log").open("w") as log,
        subprocess.Popen(
            command, cwd=tmp_path, env=environ, stdout=subprocess.PIPE, stderr=log, text=True
        ) as server,
    ):
        assert server.stdout is not None
        guard = threading.Timer(TOO_LONG, server.kill)
        guard.start()
        lines = []
        for line in server.stdout:
            lines.append(line)
            if " answers at " in line:
                break
        yield "".join(lines)
        guard.cancel()
        server.terminate()


@pytest.mark.skipif(bool(MISSING), reason=f"this machine has no {' and no '.join(MISSING)}")
def test_the_shell_blocks_of_a_page_run(
    script: Any, environ: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    blocks = script.blocks("sh")
    if not blocks:
        return
    text = _as_typed("\n".join(blocks), request.getfixturevalue("printed"))

    result = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", text],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=TOO_LONG,
        check=False,
    )

    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"


def test_every_block_says_what_it_is(document: Any) -> None:
    fences = [token for token in document.tokens if token.type == "fence"]
    known = {"sh", "console", "python", "ini", "toml", "json", "text", "nginx", "yaml"}
    known |= {"html", "jinja", "js", "po", "ts"}

    assert [token.info for token in fences if token.info not in known] == []
    assert [token.content for token in document.tokens if token.type == "code_block"] == []


def _as_typed(text: str, printed: str) -> str:
    password = re.search(r"password: (\S+)", printed)
    address = re.search(r"answers at (\S+)", printed)
    assert password, printed
    assert address, printed
    return text.replace(DOTS, password[1]).replace(ADDRESS, address[1])
