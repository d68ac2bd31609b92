"""The pages list each value that the arguments of hooks and the answers of the API can have."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any

import pytest

from masthead import NoticeType, PublicationWay, PublicChangeName, TransitionName
from masthead.content.public_changes import ItemChangeName
from masthead.live.states import LiveEvent


@pytest.mark.parametrize(
    ("values", "page", "heading"),
    [
        (PublicationWay, "hooks", "masthead_publishing(session, publications)"),
        (TransitionName, "hooks", "masthead_transitioned(session, event)"),
        (NoticeType, "hooks", "masthead_notified(session, notice, recipients)"),
        (NoticeType, "rest-api", "Notifications"),
        (LiveEvent, "rest-api", "Live events"),
        (PublicChangeName, "rest-api", "Changes"),
        (ItemChangeName, "rest-api", "Changes"),
    ],
    ids=lambda it: getattr(it, "__name__", ""),
)
def test_the_section_lists_the_values(
    values: type[StrEnum], page: str, heading: str, docs: dict[str, Any]
) -> None:
    text = docs[f"docs/{page}.md"].path.read_text("utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]

    assert [str(it) for it in values if not re.search(rf"`{it}`", section)] == []
