"""An instance with content to back up, and empty places to restore into."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image
from sqlalchemy import inspect, make_url
from webtest.forms import Upload

from masthead import Instance
from masthead.auth.tokens import SECRETS
from masthead.backup.writing import Backup, make_backup
from masthead.cli import main
from masthead.instance import DATA, DATABASE_URL, PLUGINS, open_instance
from masthead.testing import Client
from masthead.testing.postgres import create_database, drop_database

NUMBERS = count()


class Place:
    """A database and a data folder, for commands and for processes that open them."""

    def __init__(self, url: str, folder: Path, plugins: str, secret: str) -> None:
        self.url = url
        self.folder = folder
        self.settings = {
            DATA.name: str(folder),
            DATABASE_URL.name: url,
            PLUGINS.name: plugins,
            SECRETS.name: secret,
        }
        self._opened = ExitStack()

    @property
    def variables(self) -> dict[str, str]:
        return {name.upper().replace(".", "_"): value for name, value in self.settings.items()}

    def run(self, *arguments: Any, status: int = 0, stdin: str | None = None) -> Result:
        """Run a command of masthead."""
        command = [str(each) for each in arguments]
        result = CliRunner().invoke(main, command, input=stdin, env=self.variables)
        assert result.exit_code == status, result.output
        return result

    def open(self) -> Instance:
        instance = open_instance(self.settings, {})
        self._opened.callback(instance.close)
        return instance

    def discard(self) -> None:
        """Delete the database and the files."""
        self._opened.close()
        if self.url.startswith("postgresql"):
            url = make_url(self.url)
            server = url.set(database="postgres").render_as_string(hide_password=False)
            drop_database(server, str(url.database))
        shutil.rmtree(self.folder, ignore_errors=True)

    def has_database(self) -> bool:
        """Whether there is a database with tables."""
        if self.url.startswith("sqlite"):
            return (self.folder / "masthead.db").exists()
        with self.open().database.read() as connection:
            return inspect(connection).get_table_names() != []

    def is_empty(self) -> bool:
        """Whether there is neither a database nor a file."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return files == [] and not self.has_database()


@pytest.fixture
def plugins() -> tuple[str, ...]:
    return ("news", "media", "email", "webhooks")


@pytest.fixture
def make_place(
    instance: Instance, postgresql_server: Callable[[], str], tmp_path: Path
) -> Iterator[Callable[[], Place]]:
    """Make an empty place for the plugins and with the secret of the instance."""
    with ExitStack() as stack:

        def make() -> Place:
            name = f"restored_{tmp_path.name[-20:]}_{next(NUMBERS)}".replace("-", "_").lower()
            folder = tmp_path / name
            url = f"sqlite:///{folder}/masthead.db"
            if instance.database.dialect == "postgresql":
                server = postgresql_server()
                url = create_database(server, name)
            plugins = " ".join(each.name for each in instance.plugins if each.name != "core")
            place = Place(url, folder, plugins, " ".join(instance.settings[SECRETS]))
            stack.callback(place.discard)
            return place

        yield make


@pytest.fixture
def place(make_place: Callable[[], Place]) -> Place:
    return make_place()


@pytest.fixture
def back_up(instance: Instance, tmp_path: Path) -> Callable[..., Backup]:
    """Back up the instance into a new file."""

    def run(target: Path | None = None, **options: Any) -> Backup:
        target = target or tmp_path / f"backup-{next(NUMBERS)}.zip"
        return make_backup(instance, target, lambda *_: None, **options)

    return run


@pytest.fixture
def picture(app: Client) -> str:
    """The address of an uploaded image."""
    file = BytesIO()
    Image.new("RGB", (70, 30), "navy").save(file, "PNG")
    form = {"file": Upload("sea.png", file.getvalue(), "image/png")}
    address: str = app.as_role("editor").post("/api/staff/upload/image", form).json["url"]
    return address
