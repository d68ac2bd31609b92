"""The page about e-mail names the newsletter tools whose exports can be imported."""

from __future__ import annotations

from pathlib import Path

from masthead_email.subscribers.exports.tools import TOOLS

PAGE = (Path(__file__).parents[2] / "docs" / "email.md").read_text(encoding="utf-8")


def test_the_page_lists_each_tool_whose_exports_are_known() -> None:
    listed = [line.split(" | ")[0].removeprefix("| ") for line in PAGE.splitlines() if "|" in line]

    assert {tool.name for tool in TOOLS} - {"Masthead"} <= set(listed)
