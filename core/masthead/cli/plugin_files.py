"""The files of new plugins, as templates by kind of plugin and by path."""

from __future__ import annotations

from collections.abc import Mapping

_PROJECT = """\
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
{dependencies}]

[project.optional-dependencies]
testing = ["masthead-core[testing]"]

[project.entry-points."masthead.plugins"]
$name = "masthead_$name.plugin:plugin"

[tool.flit.module]
name = "masthead_$name"
"""
_CORE = '    "masthead-core$versions",\n'
_TABLES = f'    "alembic>=1.16",\n{_CORE}    "sqlalchemy>=2.1",\n'
_README = """\
# masthead-$name

$label for Masthead.

```console
pip install -e ".[testing]"
{migrating}pytest
```

`pip wheel --no-deps --wheel-dir dist .` builds the wheel, which `pip install` installs on a server.
Then `masthead plugins` lists the plugin{tables}.
"""
_MIGRATING = 'masthead db revision $name -m "First tables"\nmasthead db upgrade\n'
_WITH_TABLES = ", and `masthead db upgrade` creates its tables"
_MIGRATIONS = '''\
"""The migrations, which ``masthead db revision $name`` writes."""
'''
_MODELS = '''\
"""{doc}"""

from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import {names}, field, plugin_metadata


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("$name")


class Item({mixin}, Base):
    """{item}"""

    __tablename__ = "$${{name}}_item"

{fields}'''
_PLUGIN = '''\
"""{doc}"""

from masthead import {names}

from masthead_$name.models import Base, Item

{declaration}


@hookimpl
def {hook}() -> list[{kind}]:
    """Return the {noun}."""
    return [{constant}]


plugin = Plugin(
    "$name",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_$name.migrations",
)
'''
_TEST = '''\
"""The $name fulfil the contract of {nouns}."""

import pytest
from masthead.testing import {contract}{imports}


@pytest.fixture
def plugins() -> list[str]:
    """Enable this plugin only."""
    return ["$name"]


class TestContract({contract}):
    {attribute}
'''


def _files(first_line: str, dependencies: str, migrating: str, **own: str) -> Mapping[str, str]:
    """Return the files of a kind: those of each plugin, and its own by the name of the module."""
    tables = _WITH_TABLES if migrating else ""
    return {
        "pyproject.toml": _PROJECT.replace("{dependencies}", dependencies),
        "README.md": _README.format(migrating=migrating, tables=tables),
        "masthead_$name/__init__.py": f'"""{first_line}"""\n',
        "masthead_$name/py.typed": "",
        **{f"masthead_$name/{name}.py": text for name, text in own.items() if name != "tests"},
        **({"masthead_$name/migrations/__init__.py": _MIGRATIONS} if migrating else {}),
        "tests/test_$name.py": own["tests"],
    }


def _models(**parts: str) -> str:
    return _MODELS.format(**parts).replace("$$", "$")


FILES: Mapping[str, Mapping[str, str]] = {
    "content": _files(
        "$label for Masthead: drafted by staff, approved and published.",
        _TABLES,
        _MIGRATING,
        models=_models(
            doc="The table; every content type has title, description, content and tags as well.",
            names="ContentItem, Url",
            mixin="ContentItem",
            item="An item of the content type.",
            fields=(
                "    link: Mapped[str | None] = field(Url(),"
                ' help="The address of a page about it.")\n'
            ),
        ),
        plugin=_PLUGIN.format(
            doc="$label as a plugin: a content type, with endpoints and approval from core.",
            names="Approvable, ContentType, Plugin, hookimpl",
            declaration=(
                "CONTENT_TYPE = ContentType(\n"
                '    name="$name",\n'
                '    label="$label",\n'
                "    model=Item,\n"
                '    order="-createdAt",\n'
                ")"
            ),
            hook="masthead_content_types",
            kind="Approvable",
            noun="content type",
            constant="CONTENT_TYPE",
        ),
        tests=_TEST.format(
            nouns="content types",
            contract="ContentTypeContract",
            imports="\nfrom masthead_$name.plugin import CONTENT_TYPE",
            attribute="content_type = CONTENT_TYPE",
        ),
    ),
    "resource": _files(
        "$label for Masthead: kept by staff, without an approval.",
        _TABLES,
        _MIGRATING,
        models=_models(
            doc="The table of the items.",
            names="Bool, Line, ResourceItem",
            mixin="ResourceItem",
            item="An item of the resource.",
            fields=(
                '    name: Mapped[str] = field(Line(), required=True, help="The name.")\n'
                "    published: Mapped[bool] = field(\n"
                '        Bool(), default=False, public=False, help="Whether the public sees it."\n'
                "    )\n"
            ),
        ),
        plugin=_PLUGIN.format(
            doc="$label as a plugin: a resource, with endpoints of staff and of the public.",
            names="Plugin, PublicRoutes, Resource, hookimpl",
            declaration=(
                "RESOURCE = Resource(\n"
                '    name="$name",\n'
                '    label="$label",\n'
                "    model=Item,\n"
                '    area="$name",\n'
                '    search_fields=("name",),\n'
                "    trash=True,\n"
                "    public=PublicRoutes(),\n"
                ")"
            ),
            hook="masthead_resources",
            kind="Resource",
            noun="resource",
            constant="RESOURCE",
        ),
        tests=_TEST.format(
            nouns="resources",
            contract="ResourceContract",
            imports="\nfrom masthead_$name.plugin import RESOURCE",
            attribute="resource = RESOURCE",
        ),
    ),
    "plain": _files(
        "$label for Masthead: a setting and an endpoint.",
        _CORE,
        "",
        plugin='''\
"""$label as a plugin: an endpoint that shows a setting."""

from typing import Any

from masthead import (
    PUBLIC,
    Endpoint,
    Object,
    Plugin,
    Request,
    Setting,
    Str,
    endpoint,
    hookimpl,
    required,
    schema,
    text,
)

GREETING = Setting(
    "masthead.$name.greeting",
    text,
    "Hello",
    "The text of GET /api/$name.",
)
ANSWER = Object(
    schema(
        {"greeting": required(Str(), help="The text of the setting.", example="Hello")},
        name="$label",
        help="The answer of $name.",
    )
)


@endpoint(
    "GET",
    "/api/$name",
    name="$name.show",
    permission=PUBLIC,
    returns=ANSWER,
)
def show(request: Request) -> dict[str, Any]:
    """Show the greeting."""
    return {"greeting": request.instance.settings[GREETING]}


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting."""
    return [GREETING]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint."""
    return [show]


plugin = Plugin("$name", hooks=(__name__,))
''',
        tests=_TEST.format(
            nouns="plugins",
            contract="Client, PluginContract",
            imports="",
            attribute='plugin = "$name"',
        ).replace("class TestContract(Client, ", "class TestContract(")
        + """

def test_the_greeting_is_shown(app: Client) -> None:
    assert app.get("/api/$name").json == {"greeting": "Hello"}
""",
    ),
}
"""The templates by path; ``$name``, ``$label`` and ``$versions`` are replaced in both."""
