from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from masthead.console.context import open_from
from masthead.tags.services import create_tag

pytestmark = pytest.mark.slow


def test_an_instance_with_something_in_it_is_not_served_with_a_demo(
    run: Callable[..., Result], serve: Callable[..., Any], environ: dict[str, str]
) -> None:
    run("db", "upgrade")
    with open_from(None, environ) as instance, instance.database.transaction() as session:
        create_tag(session, "Sea")

    server = serve("--demo")

    assert server.wait_until_it_answers() == ""
    log = server.process.communicate()[1]
    assert server.process.returncode == 1
    assert log.splitlines()[-1] == (
        "Error: the demo is for an empty instance, and here are rows in core_tag;"
        " start without --demo"
    )
