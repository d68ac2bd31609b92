"""Duplicates of items."""

from __future__ import annotations

from masthead.testing import Desk


def test_a_title_is_marked_in_the_language_of_the_item_within_its_limit(toys: Desk) -> None:
    made = {lang: toys.create(title="Robo", lang=lang)["id"] for lang in ("de", "ja", "pt", None)}

    titles = [toys.duplicate(item)["title"] for item in made.values()]

    assert titles == ["Robo (Kopie)", "Robo（コピー）", "Robo (copy)", "Robo (copy)"]
    long = toys.create(title="x" * 200)["id"]
    assert toys.duplicate(long)["title"] == f"{'x' * 193} (copy)"


def test_a_repeated_request_makes_one_duplicate(toys: Desk) -> None:
    item = toys.create()["id"]
    path, headers = f"/api/staff/toys/{item}/duplicate", {"Idempotency-Key": "once"}

    first, second = (toys.client.post(path, headers=headers).json for _ in range(2))

    assert first == second
    assert len(toys.list()) == 2
