"""The example of files in the page about the API for plugins works."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from webtest.forms import Upload

from masthead import Endpoint, Instance, Plugin, Setting, endpoints_in, hookimpl
from masthead.core_plugin import plugin as core
from masthead.testing import Client

PAGE = Path(__file__).parents[3] / "docs/plugin-api.md"


@pytest.fixture(scope="session")
def example() -> Plugin:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [block] = [each for each in blocks if "FileField" in each]
    module = ModuleType("example_of_files")
    exec(block, vars(module))

    class Hooks:
        @hookimpl
        def masthead_routes(self) -> list[Endpoint]:
            return endpoints_in(module)

        @hookimpl
        def masthead_settings(self) -> list[Setting[Any]]:
            return [module.MAX_LETTER]

    return Plugin(name="jobs", hooks=(Hooks(),))


@pytest.fixture
def plugins(example: Plugin) -> list[Plugin]:
    return [core, example]


def test_an_application_comes_with_or_without_a_letter(app: Client, instance: Instance) -> None:
    letter = Upload("letter.pdf", b"%PDF-1.7", "application/pdf")
    for sent in ({"name": "Ada"}, {"name": "Ada", "letter": letter}):
        form = app.post("/api/jobs/applications", sent, content_type="multipart/form-data")
        assert form.json["message"] == "Thank you, Ada"

    [path] = instance.folder("jobs").iterdir()
    assert path.parent.stat().st_mode & 0o077 == 0
    staff = app.as_role("admin")
    assert staff.get(f"/api/staff/jobs/letters/{path.name}").body == b"%PDF-1.7"
    staff.get("/api/staff/jobs/letters/other.pdf", status=404)
