"""Settings with a number for each content type."""

from __future__ import annotations

import pytest

from masthead.approval.settings import per_type


@pytest.mark.parametrize(
    ("text", "news", "events"),
    [("1", 1, 1), ("2 news=3", 3, 2), ("news=3", 3, 1), ("news=3\n 2", 3, 2), ("", 1, 1)],
)
def test_types_have_the_general_number_or_their_own(text: str, news: int, events: int) -> None:
    numbers = per_type(1, 20, 1)(text)

    assert (numbers["news"], numbers["events"]) == (news, events)


@pytest.mark.parametrize("text", ["0", "21", "x", "news", "news=", "=2", "1 2", "news=1 news=2"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="numbers from 1 to 20, such as 1 news=2"):
        per_type(1, 20, 1)(text)
