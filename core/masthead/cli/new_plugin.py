"""``masthead new-plugin``: write the files of a new plugin with one content type."""

from __future__ import annotations

from pathlib import Path
from string import Template

import click

from masthead.errors import StartError
from masthead.faults import CORE
from masthead.plugins import installed, is_plugin_name

MAX_NAME = 30
"""PostgreSQL truncates names after 63 bytes; ``fk_<name>_item_approval_requested_by`` must fit."""
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
"""$label for Masthead: drafted by staff, approved and published."""
''',
    "masthead_$name/py.typed": "",
    "masthead_$name/models.py": '''\
"""The table; every content type has title, description, content and tags as well."""

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import ContentItem, Url, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("$name")


class Item(ContentItem, Base):
    """An item of the content type."""

    __tablename__ = "${name}_item"

    link: Mapped[str | None] = field(Url(), help="The address of a page about it.")
''',
    "masthead_$name/plugin.py": '''\
"""$label as a plugin: a content type, which gets endpoints, approval and search from core."""

from masthead import Approvable, ContentType, Plugin, hookimpl
from masthead_$name.models import Base, Item

CONTENT_TYPE = ContentType(name="$name", label="$label", model=Item, order="-createdAt")


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type."""
    return [CONTENT_TYPE]


plugin = Plugin("$name", hooks=(__name__,), base=Base, migrations="masthead_$name.migrations")
''',
    "masthead_$name/migrations/__init__.py": '''\
"""The migrations, which ``masthead db revision $name`` writes."""
''',
    "tests/test_$name.py": '''\
"""The $name fulfil the contract of content types."""

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
    """Write the files of a new plugin NAME, with a content type of that name.

    They are written into FOLDER, by default masthead_NAME, which must be empty or missing.
    """
    if not is_plugin_name(name) or len(name) > MAX_NAME:
        raise click.BadParameter(
            f"must start with a letter, consist of a-z and 0-9, and be at most {MAX_NAME} long",
            param_hint="NAME",
        )
    available = installed()
    if name in available:
        raise StartError(f"a plugin named {name} is already installed")
    root = folder or Path(f"masthead_{name}")
    if root.exists() and any(root.iterdir()):
        raise StartError(f"{root} is not empty")
    versions = _compatible(available[CORE].version)
    for path, text in _FILES.items():
        names = {"name": name, "label": name.capitalize(), "versions": versions}
        written = root / Template(path).substitute(names)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(Template(text).substitute(names), "utf-8")
    click.echo(f"Wrote {root}; see its README.md for the next steps")


def _compatible(version: str) -> str:
    """Return the range of compatible versions of core, as a requirement."""
    major, minor, *_ = version.split(".")
    return f">={major}.{minor},<{major}.{int(minor) + 1}"
