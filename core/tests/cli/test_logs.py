from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

pytestmark = pytest.mark.any_database

LOGGING = """\
[app:main]
use = egg:masthead-core

[loggers]
keys = root

[handlers]
keys = {handlers}

[formatters]
keys = line

[logger_root]
level = INFO
handlers = handler

[handler_handler]
class = {handler}
args = {arguments}
level = {level}
formatter = line

[formatter_line]
format = %(message)s
"""
GOOD = {"handlers": "handler", "handler": "StreamHandler", "arguments": "()", "level": "INFO"}


@pytest.mark.parametrize("command", ["serve", "worker"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"masthead.data = here\n",
        b"\xff\xfe\x00",
        b"[app:main]\n[app:main]\n",
        b"[app:main]\nmasthead.data = %(nowhere)s\n",
        b"[server:main]\n",
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_one_line(
    run: Callable[..., Result], tmp_path: Path, command: str, content: bytes
) -> None:
    config = tmp_path / "masthead.ini"
    config.write_bytes(content)

    result = run(command, "-c", config)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {config} ")
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "worker"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"handlers": "other"},
        {"handlers": "%(nowhere)s"},
        {"handler": "nowhere.Handler"},
        {"handler": "logging.NoHandler"},
        {"arguments": "(nothing,)"},
        {"arguments": "((("},
        {"arguments": "(1, 2, 3)"},
        {"arguments": "(1 / 0,)"},
        {"level": "LOUD"},
    ],
)
def test_logging_that_cannot_be_used_is_told_in_one_line(
    run: Callable[..., Result], tmp_path: Path, command: str, wrong: dict[str, str]
) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text(LOGGING.format(**GOOD | wrong))

    result = run(command, "-c", config)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: the logging of {config} can't be used: ")
    assert result.stderr.count("\n") == 1
