"""No public answer shows the exact version of the software."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from masthead import Endpoint, Instance, Plugin
from masthead.http.permissions import PUBLIC
from masthead.plugins import installed
from masthead.testing import Client


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def endpoints(instance: Instance) -> Sequence[Endpoint]:
    return instance.endpoints


def test_no_public_answer_shows_an_exact_version(
    app: Client, endpoints: Sequence[Endpoint], plugins: Sequence[Plugin]
) -> None:
    versions = {plugin.version for plugin in plugins}
    exact = re.compile(rf"(?<![\d.])({'|'.join(map(re.escape, versions))})(?![\d.])")

    shown = [
        endpoint.path
        for endpoint in endpoints
        if endpoint.permission == PUBLIC and endpoint.method == "GET"
        for answer in [app.get(re.sub(r"{\w+}", "1", endpoint.path), status="*")]
        if exact.search(f"{answer.headers}\n{answer.text}")
    ]

    assert versions
    assert shown == []
