"""``/docs`` shows the document as a page, to the readers that the settings name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from masthead import Plugin
from masthead.plugins import installed
from masthead.testing import Client


def test_the_page_lists_every_operation_and_schema(app: Client) -> None:
    document, page = app.get("/openapi.json").json, app.get("/docs")

    for path in document["paths"].values():
        for operation in path.values():
            assert f'id="{operation["operationId"]}"' in page.text
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in page.text


def test_the_page_runs_only_its_own_script_and_requests_nothing(app: Client) -> None:
    policy = app.get("/docs").headers["Content-Security-Policy"]

    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy


def test_a_browser_that_has_the_page_is_not_sent_it_again(app: Client) -> None:
    etag = app.get("/docs").headers["ETag"]

    app.get("/docs", headers={"If-None-Match": etag}, status=304)


class TestReaders:
    """``masthead.openapi.readers = staff`` hides the document from strangers."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.openapi.readers": "staff"}

    @pytest.fixture
    def plugins(self) -> list[Plugin]:
        """Return core with the version of its distribution."""
        return [installed()["core"]]

    def test_strangers_see_neither_document_nor_page(self, app: Client) -> None:
        app.get("/openapi.json", status=401)
        asking = app.get("/docs", status=401)
        assert "Token" in asking.text
        assert "/api/staff" not in asking.text
        assert (
            "connect-src 'self'; script-src 'sha256-" in asking.headers["Content-Security-Policy"]
        )

    def test_staff_see_both_with_the_exact_version(self, app: Client) -> None:
        staff = app.as_role("editor")

        version = staff.get("/openapi.json").json["info"]["version"]

        assert len(version.split(".")) == 3
        assert version in staff.get("/docs").text


class TestDisabled:
    """``masthead.docs.enabled = false`` leaves out the page."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.docs.enabled": "false"}

    def test_there_is_no_page(self, app: Client) -> None:
        app.get("/docs", status=404)
        app.get("/openapi.json")
