"""The root tells programs and people where the documentation is."""

from __future__ import annotations

import pytest

from masthead.testing import Client

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ADDRESS = "http://127.0.0.1:6543/openapi.json"


@pytest.mark.parametrize("accepted", [None, "*/*", "application/json", "nonsense;;", "image/png"])
def test_programs_get_json(app: Client, accepted: str | None) -> None:
    answer = app.get("/", headers={"Accept": accepted} if accepted else {})

    assert answer.json["openapi"] == ADDRESS
    assert answer.json["software"] == "Masthead"
    assert f'<{ADDRESS}>; rel="service-desc"; type="application/json"' in answer.headers["Link"]


def test_browsers_get_a_page_in_their_language(app: Client) -> None:
    answer = app.get("/", headers={"Accept": BROWSER, "Accept-Language": "de"})

    assert answer.content_type == "text/html"
    assert answer.html.find("a", href=ADDRESS).text == "Beschreibung im Format OpenAPI"
    assert answer.html.html["lang"] == "de"


@pytest.mark.parametrize("accepted", ["application/json", BROWSER])
def test_caches_know_that_the_answer_varies(app: Client, accepted: str) -> None:
    answer = app.get("/", headers={"Accept": accepted})

    assert answer.headers["Vary"] == "Accept, Accept-Language"
    assert app.head("/", headers={"Accept": accepted}).headers["Link"] == answer.headers["Link"]


def test_other_methods_and_paths_are_unknown(app: Client) -> None:
    for method in ("post", "put", "delete"):
        getattr(app, method)("/", status=404)
    app.get("/nowhere", headers={"Accept": BROWSER}, status=404)
