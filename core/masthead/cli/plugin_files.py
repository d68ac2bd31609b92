"""The files of a new plugin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Template

from masthead.cli.plugin_code import imported, quoted
from masthead.cli.plugin_declarations import Declared, models_file, plugin_file

PLAIN = "plain"
"""The kind of a plugin without a content type or resource."""
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
$dependencies]

[project.optional-dependencies]
testing = [$needed_by_tests]

[project.entry-points."masthead.plugins"]
$name = "masthead_$name.plugin:plugin"

[tool.flit.module]
name = "masthead_$name"
"""
_README = """\
# masthead-$name

$label for Masthead.

```console
pip install -e ".[testing]"
$first_command
pytest
```

`pip wheel --no-deps --wheel-dir dist .` builds the wheel, which `pip install` installs on a server.
Then `masthead plugins` lists the plugin$tables.
"""
_CHANGING = """
After a change of the models, `masthead db revision $name -m "…"` writes the next migration.
"""
_MIGRATIONS = '''\
"""The migrations, which ``masthead db revision $name`` writes."""
'''
_TEST = '''\
"""Tests of $name by the contract of $nouns."""

import pytest
$imports


@pytest.fixture
def plugins() -> list[str]:
    """Enable $enabled."""
    return [$plugins]


class TestContract($contract):
    """The contract, with the declaration of this plugin."""

    $attribute
'''
_PLAIN_TEST = '''

def test_the_greeting_is_shown(app: Client) -> None:
    """The public reads the default of the setting."""
    assert app.get("/api/$name").json == {"greeting": "Hello"}
'''
_PLAIN = '''\
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
'''


@dataclass(frozen=True)
class _Role:
    """The words and names of a kind of plugin."""

    first_line: str
    nouns: str
    contract: str
    constant: str = ""
    """The name of the declaration; blank for a plugin without one."""


_ROLES: Mapping[str, _Role] = {
    "content": _Role(
        "drafted by staff, approved and published",
        "content types",
        "ContentTypeContract",
        "CONTENT_TYPE",
    ),
    "resource": _Role(
        "kept by staff, without an approval", "resources", "ResourceContract", "RESOURCE"
    ),
    PLAIN: _Role("a setting and an endpoint", "plugins", "PluginContract"),
}
KINDS = tuple(_ROLES)
"""The kinds of plugins."""


def files_of(declared: Declared, versions: str, others: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a plugin by path, without its migration.

    :param versions: the versions of core that it works with, as a requirement.
    :param others: the plugins of the items that it refers to, with their distributions.
    """
    role, package = _ROLES[declared.kind], f"masthead_{declared.name}"
    names = {
        "name": declared.name,
        "label": declared.label,
        "first_line": role.first_line,
        **_of_metadata(role, versions, others.values()),
        **_of_tests(role, declared.name, others),
    }
    test = _TEST if role.constant else _TEST + _PLAIN_TEST
    templates = {
        "pyproject.toml": _PROJECT,
        "README.md": _README + (_CHANGING if role.constant else ""),
        f"{package}/__init__.py": '"""$label for Masthead: $first_line."""\n',
        f"{package}/py.typed": "",
        f"tests/test_{declared.name}.py": test,
        **({f"{package}/migrations/__init__.py": _MIGRATIONS} if role.constant else {}),
        **({} if role.constant else {f"{package}/plugin.py": _PLAIN}),
    }
    files = {path: Template(text).substitute(names) for path, text in templates.items()}
    if role.constant:
        files[f"{package}/models.py"] = models_file(declared)
        files[f"{package}/plugin.py"] = plugin_file(declared)
    return files


def _of_metadata(role: _Role, versions: str, others: Iterable[str]) -> dict[str, str]:
    """Return the texts of the metadata and of the README."""
    core = f"masthead-core{versions}"
    needed = ["alembic>=1.16", core, "sqlalchemy>=2.1"] if role.constant else [core]
    return {
        "dependencies": "".join(f'    "{each}",\n' for each in needed),
        "needed_by_tests": _listed(["masthead-core[testing]", *others]),
        "first_command": "masthead db upgrade" if role.constant else "masthead plugins",
        "tables": ", and `masthead db upgrade` creates its tables" if role.constant else "",
    }


def _of_tests(role: _Role, name: str, others: Iterable[str]) -> dict[str, str]:
    """Return the texts of the tests."""
    if role.constant:
        imports = imported("masthead.testing", [role.contract])
        imports += ["", f"from masthead_{name}.plugin import {role.constant}"]
        attribute = f"{role.constant.lower()} = {role.constant}"
    else:
        imports = imported("masthead.testing", ["Client", role.contract])
        attribute = f'plugin = "{name}"'
    only = "this plugin, and those of the items that it refers to" if others else "this plugin only"
    return {
        "nouns": role.nouns,
        "contract": role.contract,
        "imports": "\n".join(imports),
        "attribute": attribute,
        "enabled": only,
        "plugins": _listed([*others, name]),
    }


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(quoted, texts))
