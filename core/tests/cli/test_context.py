from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from masthead.console.context import open_from, read_ini
from masthead.db.settings import POOL_SIZE
from masthead.errors import StartError
from masthead.instance import DATA


def write(folder: Path, content: str, name: str = "masthead.ini") -> Path:
    file = folder / name
    file.write_text(content)
    return file


def test_without_a_file_the_environment_and_the_defaults_hold(tmp_path: Path) -> None:
    with open_from(None, {"MASTHEAD_DATA": str(tmp_path)}) as instance:
        assert instance.settings[DATA] == str(tmp_path)
        assert instance.settings[POOL_SIZE] == 10


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    config = write(
        tmp_path,
        "[app:main]\nmasthead.data = %(here)s/kept\nmasthead.database.pool_size = 3\n",
    )

    with open_from(config, {"MASTHEAD_DATABASE_POOL_SIZE": "4"}) as instance:
        assert instance.settings[DATA] == str(tmp_path / "kept")
        assert instance.settings[POOL_SIZE] == 4


def test_the_section_may_also_be_called_masthead(tmp_path: Path) -> None:
    config = write(tmp_path, "[app:masthead]\nuse = egg:masthead-core\nmasthead.data = x\n")

    assert read_ini(config)["masthead.data"] == "x"


def test_the_name_of_a_file_may_hold_blanks_and_number_signs(tmp_path: Path) -> None:
    config = write(tmp_path, "[app:main]\nmasthead.data = x\n", "our file #1.conf")

    assert read_ini(config)["masthead.data"] == "x"


@pytest.mark.parametrize(
    "content",
    [
        "[app:main\n",
        "masthead.data = x\n",
        "[app:main]\nmasthead.data = %(nowhere)s\n",
        "[app:main]\nmasthead.data = x\nmasthead.data = y\n",
        "[server:main]\n",
        "",
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(tmp_path: Path, content: str) -> None:
    config = write(tmp_path, content)

    with pytest.raises(StartError) as caught:
        read_ini(config)

    assert str(config) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_command_that_needs_tables_says_how_to_make_them(environ: dict[str, str]) -> None:
    with (
        pytest.raises(StartError, match="run masthead db upgrade"),
        open_from(None, environ) as instance,
        instance.database.read() as connection,
    ):
        connection.execute(text("SELECT * FROM core_user"))


def test_a_database_that_cannot_be_reached_is_no_traceback(tmp_path: Path) -> None:
    environ = {
        "MASTHEAD_DATA": str(tmp_path),
        "MASTHEAD_DATABASE_URL": "postgresql://somebody:hush@127.0.0.1:1/nowhere",
    }

    with (
        pytest.raises(StartError, match="the database can't be reached") as caught,
        open_from(None, environ) as instance,
        instance.database.read(),
    ):
        pass

    assert "hush" not in str(caught.value)
