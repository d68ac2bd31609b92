"""Harmless content looks the same in a browser before and after sanitising."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from masthead import Html
from masthead.html import clean_email

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

ARTICLE = (Path(__file__).parent / "article.html").read_text("utf-8")

OUTLINE = """() => {
  const all = (selector, tell) => [...document.querySelectorAll(selector)].map(tell);
  return {
    text: document.body.innerText.trim(),
    headings: all("h2, h3", (one) => one.textContent),
    rows: all("tr", (row) => [...row.cells].map((cell) => cell.textContent.trim())),
    aligned: all("th, td, div", (one) => getComputedStyle(one).textAlign),
    spans: all("[colspan]", (one) => one.colSpan),
    figures: all("figure", (one) => [one.querySelector("img").alt, one.innerText]),
    pictures: all("img", (one) => one.src),
    languages: all("[lang]", (one) => [one.lang, one.textContent]),
    directions: all("[dir]", (one) => [one.dir, getComputedStyle(one).direction]),
    code: all("pre code", (one) => [one.className, one.textContent]),
    links: all("a", (one) => one.href),
    ids: all("[id]", (one) => one.id),
    folded: all("details", (one) => one.textContent),
    numbers: all("ol", (one) => one.start),
    ruby: all("ruby", (one) => one.textContent),
  };
}"""


def outline(stage: Any, html: str) -> Any:
    return stage.show(f"<!doctype html>{html}").evaluate(OUTLINE)


@pytest.fixture
def sent(stage: Any) -> Any:
    """The outline of the article before sanitising."""
    return outline(stage, ARTICLE)


def test_the_article_contains_every_kind_of_content_to_keep(sent: Any) -> None:
    assert [name for name, found in sent.items() if not found] == []


@pytest.mark.parametrize("sanitise", [Html().parse, clean_email], ids=["content", "mail"])
def test_text_tables_figures_languages_and_code_look_as_before(
    stage: Any, sent: Any, sanitise: Any
) -> None:
    assert outline(stage, sanitise(ARTICLE)) == sent


def test_embeds_of_known_hosts_stay_and_no_others(stage: Any) -> None:
    page = stage.show(Html(hosts=("www.youtube.com",)).parse(ARTICLE))

    embeds = page.eval_on_selector_all("iframe", "all => all.map(one => [one.src, one.width])")

    assert embeds == [["https://www.youtube.com/embed/x?rel=0", "560"]]


def test_a_cleaned_article_does_nothing_and_is_not_changed_again(stage: Any) -> None:
    parse = Html(hosts=("www.youtube.com",)).parse
    cleaned = parse(ARTICLE)

    assert stage.perform([ARTICLE], "parsed") != {}
    assert stage.perform([cleaned], "parsed") == {}
    assert stage.perform([cleaned], "inserted") == {}
    assert parse(cleaned) == cleaned
