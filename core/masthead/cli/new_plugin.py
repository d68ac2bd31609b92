"""``masthead new-plugin``: the files of a new plugin with one content type."""

from __future__ import annotations

from pathlib import Path
from string import Template

import click

from masthead.errors import StartError
from masthead.plugins import CORE, installed, is_plugin_name

MAX_NAME = 30
"""PostgreSQL cuts identifiers to 63 bytes; one of them is
``fk_<name>_item_approval_requested_by``."""
_FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["flit_core>=3.12,<5"]
build-backend = "flit_core.buildapi"

[project]
name = "masthead-$name"
version = "0.1.0"
description = "$label for Masthead."
readme = "README.md"
requires-python = ">=3.11"
dependencies = [
    "alembic>=1.16",
    "masthead-core$versions",
    "sqlalchemy>=2.1",
]

[project.optional-dependencies]
testing = ["masthead-core[testing]"]

[project.entry-points."masthead.plugins"]
$name = "masthead_$name.plugin:plugin"

[tool.flit.module]
name = "masthead_$name"
""",
    "README.md": """\
# masthead-$name

$label for Masthead.

```console
pip install -e ".[testing]"
masthead db revision $name -m "First tables"
masthead db upgrade
pytest
```
""",
    "masthead_$name/__init__.py": '''\
"""$label: content with drafts, approval and public pages."""
''',
    "masthead_$name/py.typed": "",
    "masthead_$name/models.py": '''\
"""The model; every content type has title, description, content and tags."""

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import ContentItem, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """The base class of the models of this plugin."""

    metadata = plugin_metadata("$name")


class Item(ContentItem, Base):
    """One of the $name."""

    __tablename__ = "${name}_item"

    link: Mapped[str | None] = field(Url())
''',
    "masthead_$name/plugin.py": '''\
"""The hooks of the $name plugin and the declaration of its content type."""

from masthead import Approvable, ContentType, Plugin, hookimpl
from masthead_$name.models import Base, Item

CONTENT_TYPE = ContentType(name="$name", label="$label", model=Item, order="-createdAt")


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Declare the content type."""
    return [CONTENT_TYPE]


plugin = Plugin("$name", hooks=(__name__,), base=Base, migrations="masthead_$name.migrations")
''',
    "masthead_$name/migrations/__init__.py": '''\
"""The migrations, written by ``masthead db revision $name``."""
''',
    "tests/test_$name.py": '''\
"""The tests that every content type has to pass."""

from masthead.testing import ContentTypeContract
from masthead_$name.plugin import CONTENT_TYPE


class TestContract(ContentTypeContract):
    content_type = CONTENT_TYPE
''',
}


@click.command("new-plugin")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def new_plugin(name: str, folder: Path | None) -> None:
    """Create a plugin NAME with a content type of the same name.

    The files are written to FOLDER (default: masthead_NAME), which must be empty or not exist yet.
    """
    if not is_plugin_name(name) or len(name) > MAX_NAME:
        raise click.BadParameter(
            f"must be of a-z and 0-9, begin with a letter, have at most {MAX_NAME} characters",
            param_hint="NAME",
        )
    available = installed()
    if name in available:
        raise StartError(f"a plugin {name} is installed already")
    root = folder or Path(f"masthead_{name}")
    if root.exists() and any(root.iterdir()):
        raise StartError(f"{root} isn't empty")
    versions = _compatible(available[CORE].version)
    for path, text in _FILES.items():
        names = {"name": name, "label": name.capitalize(), "versions": versions}
        written = root / Template(path).substitute(names)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(Template(text).substitute(names), "utf-8")
    click.echo(f"Wrote {root}; its README.md describes the next steps")


def _compatible(version: str) -> str:
    """Return a requirement for the versions that are compatible with this one."""
    major, minor, *_ = version.split(".")
    return f">={major}.{minor},<{int(major) + 1}"
