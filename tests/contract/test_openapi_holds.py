"""Requests generated from the OpenAPI document, whose answers the document has to describe."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from masthead import ContentType, Instance, Plugin, User
from masthead.plugins import installed
from masthead.testing import Client, Desk
from masthead.testing.accounts import Accounts
from masthead.web.app import app_of

pytestmark = pytest.mark.exhaustive

EXAMPLES = int(os.environ.get("MASTHEAD_TEST_EXAMPLES", "4"))
"""The number of valid and of invalid requests per operation."""
# No server error is described, except the one of /readyz.
CHECKED = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    ignored_auth,
]


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def document(instance: Instance) -> Any:
    """Return the document that the app serves."""
    return schemathesis.openapi.from_wsgi("/openapi.json", app_of(instance))


@pytest.fixture
def _content(app: Client, instance: Instance) -> None:
    """Create a published item of each type and a tag, with the id 1."""
    app.as_role("admin").post_json("/api/staff/tags", {"name": "Water"})
    for kind in instance.content_types.values():
        if isinstance(kind, ContentType):
            Desk(app, kind.name).as_role("admin").create_public(
                startDate="2036-01-01T00:00:00.000Z", tagIds=[1]
            )


def complaints(operation: Any, mode: schemathesis.GenerationMode, token: str) -> str:
    """Return the complaints about an operation's answers; blank if there are none."""

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        # The document describes whole answers; ``fields`` leaves out members of them.
        (case.query or {}).pop("fields", None)
        # The client of the tests decodes no compressed answers.
        headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
        case.call_and_validate(headers=headers, checks=CHECKED)

    try:
        ask()
    except (FailureGroup, Failure) as error:
        return f"{operation.label}: {error}"
    except Unsatisfiable:
        # An operation without parameters has no invalid requests.
        return ""
    return ""


@pytest.mark.usefixtures("_content")
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_every_answer_is_one_that_the_document_describes(
    mode: schemathesis.GenerationMode,
    document: Any,
    make_user: Callable[..., User],
    instance: Instance,
) -> None:
    accounts = Accounts(instance)
    found = [result.ok() for result in document.get_all_operations()]

    # An operation may change its own caller, which must not affect the next one.
    said = [
        complaints(operation, mode, accounts.token(make_user(role="admin"))) for operation in found
    ]

    assert "\n\n".join(filter(None, said)) == ""
    assert len(found) > 20
