"""Actions of real organisations (see NOTICE) are imported unchanged."""

from __future__ import annotations

import json
from pathlib import Path

from masthead import Instance
from masthead.content.jsonl_import import content_importer
from masthead.resources.jsonl import import_lines
from masthead.testing import Desk
from masthead_actions.contenttype import ACTIONS

FILE = Path(__file__).with_name("actions.jsonl")
LINES = FILE.read_bytes().splitlines()
SENT = [json.loads(line) for line in LINES]
ACTIVE = ("<script", "<!--", "_bp_iframe")


def test_every_action_is_imported_unchanged(instance: Instance, desk: Desk) -> None:
    results = list(
        import_lines(instance, content_importer(ACTIONS), LINES, publish=True, actor=None)
    )

    assert [(line.error, line.warnings) for line in results] == [(None, [])] * len(SENT)
    shown = desk.public_list()
    for name in ("title", "description", "icon", "link"):
        assert [item[name] for item in shown] == [item[name] for item in SENT]
    tags = [sorted(tag["name"].lower() for tag in item["tags"]) for item in shown]
    assert tags == [sorted(name.lower() for name in item["tags"]) for item in SENT]
    assert len({item["slug"] for item in shown} - {None}) == len(SENT)
    assert all(desk.public_item(item["slug"]) == item for item in shown)


def test_scripts_are_removed_and_the_text_stays(instance: Instance, desk: Desk) -> None:
    given = "".join(item["content"] for item in SENT)
    assert all(text in given for text in ACTIVE)

    list(import_lines(instance, content_importer(ACTIONS), LINES, publish=True, actor=None))

    shown = "".join(item["content"] for item in desk.public_list())
    assert not any(text in shown for text in ACTIVE)
    for text in (
        "Civic Tech und Transparenz",
        '<div dir="rtl">',
        "オープンソース",
        "<h3>Links</h3>",
    ):
        assert text in shown


def test_a_draft_that_is_imported_has_no_slug_yet(instance: Instance, desk: Desk) -> None:
    list(import_lines(instance, content_importer(ACTIONS), LINES, publish=False, actor=None))

    assert [item["slug"] for item in desk.list()] == [None] * len(SENT)
    assert desk.public_list() == []
