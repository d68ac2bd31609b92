"""``masthead serve --reload`` starts the server again after a change."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Thread, Timer

import pytest
from click.testing import Result

TOO_LONG = 120


def test_several_processes_are_not_reloaded(run: Callable[..., Result]) -> None:
    refused = run("serve", "--reload", "--processes", "2")

    assert refused.exit_code == 1
    assert "--reload is for development with one process, not with 2" in refused.output


def edit_until(config: Path, ended: Event) -> None:
    """Change a configuration file now and then until an event; a start takes some seconds."""
    number = 0
    while not ended.wait(30 if number else 2):
        number += 1
        address = f"https://{number}.example.org"
        config.write_text(f"[app:main]\nmasthead.base_url = {address}\n", "utf-8")


@pytest.mark.slow
def test_a_changed_configuration_file_starts_the_server_again(
    program: list[str], environ: Mapping[str, str], tmp_path: Path
) -> None:
    config = tmp_path / "site.ini"
    config.write_text("[app:main]\n", "utf-8")
    command = [*program, "serve", "--reload", "--port", "0", "--config", str(config)]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
    guard = Timer(TOO_LONG, process.kill)
    guard.start()
    assert process.stdout is not None

    # A change before the monitor has looked at the file for the first time is no change for it.
    ended, starts = Event(), 0
    editor = Thread(target=edit_until, args=(config, ended))
    for line in process.stdout:
        if " answers at " in line:
            starts += 1
            if starts == 2:
                break
            editor.start()
    ended.set()
    if starts:
        editor.join()
    guard.cancel()
    process.terminate()
    process.communicate(timeout=TOO_LONG)

    assert starts == 2
