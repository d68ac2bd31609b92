"""The example of files in the page about the API for plugins works."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from webtest.forms import Upload

from masthead import Endpoint, Instance, Plugin, Resource, Setting, endpoints_in, hookimpl
from masthead.core_plugin import plugin as core
from masthead.testing import Client

PAGE = Path(__file__).parents[3] / "docs/plugin-api.md"


@pytest.fixture(scope="session")
def example() -> Iterator[Plugin]:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [block] = [each for each in blocks if "FileField" in each]
    module = ModuleType("example_of_files")
    # SQLAlchemy looks up the annotations of mapped columns in the module.
    sys.modules[module.__name__] = module
    exec(block, vars(module))

    class Hooks:
        @hookimpl
        def masthead_resources(self) -> list[Resource]:
            return [module.APPLICATIONS]

        @hookimpl
        def masthead_routes(self) -> list[Endpoint]:
            return endpoints_in(module)

        @hookimpl
        def masthead_settings(self) -> list[Setting[Any]]:
            return [module.MAX_LETTER]

    yield Plugin(name="jobs", hooks=(Hooks(),), base=module.Base)
    del sys.modules[module.__name__]


@pytest.fixture
def plugins(example: Plugin) -> list[Plugin]:
    return [core, example]


def test_a_folder_of_a_plugin_is_private(instance: Instance) -> None:
    assert instance.folder("jobs/letters").stat().st_mode & 0o077 == 0


def test_an_application_comes_with_or_without_a_letter(app: Client) -> None:
    letter = Upload("letter.pdf", b"%PDF-1.7", "application/pdf")
    for sent in ({"email": "ada@example.org"}, {"email": "eve@example.org", "letter": letter}):
        form = app.post("/api/jobs/applications", sent, content_type="multipart/form-data")
        assert form.json["message"] == "Thank you!"

    staff, path = app.as_role("admin"), "/api/staff/job-applications"
    plain, complete = sorted(staff.get(path).json, key=lambda each: each["email"])
    answer = staff.get(f"{path}/{complete['id']}/letter")
    assert (answer.body, answer.content_type) == (b"%PDF-1.7", "application/pdf")
    assert 'filename="letter.pdf"' in answer.headers["Content-Disposition"]
    staff.get(f"{path}/{plain['id']}/letter", status=404)
    app.get(f"{path}/{complete['id']}/letter", status=401)
