"""No public answer shows the exact version of the software."""

from __future__ import annotations

import re
from collections.abc import Sequence

from masthead import Endpoint
from masthead.plugins import installed
from masthead.testing import Client


def test_no_public_answer_shows_an_exact_version(
    app: Client, public_endpoints: Sequence[Endpoint]
) -> None:
    versions = {plugin.version for plugin in installed().values()}
    exact = re.compile(rf"(?<![\d.])({'|'.join(map(re.escape, versions))})(?![\d.])")

    shown = [
        endpoint.path
        for endpoint in public_endpoints
        for answer in [app.get(re.sub(r"{\w+}", "1", endpoint.path), status="*")]
        if exact.search(f"{answer.headers}\n{answer.text}")
    ]

    assert versions
    assert shown == []
