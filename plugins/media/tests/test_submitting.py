"""Images of visitors are kept apart from those of staff, and have a quota."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from webtest.forms import Upload

from masthead import Plugin, Refused, hookimpl
from masthead.testing import Client, Clock
from masthead_media.plugin import plugin as media

Picture = Callable[..., bytes]
OVER = {"error": "Too many images were uploaded today. Please try again tomorrow."}


class Hooks:
    """A plugin that refuses submissions with a certain header."""

    @hookimpl
    def masthead_check_submission(self, request: Any, kind: str) -> None:
        if kind == "images" and request.headers.get("X-Bad"):
            raise Refused("Not you")


GUARD = Plugin(name="guard", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [media, GUARD]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.media.submitted_files": "3", "masthead.media.submitted_bytes": "20000"}


def test_a_submission_has_its_own_prefix_and_is_never_a_duplicate(
    picture: Picture, upload: Any, submit: Any, app: Client, kept: Any
) -> None:
    theirs = upload(picture())

    ours = [submit(picture()) for _ in range(2)]

    for answer in ours:
        assert answer.keys() == {"url", "key", "filename"}
        assert answer["key"].startswith("ycs-submissions/")
        assert answer["url"] == f"/api/images/{answer['key']}"
        assert app.get(answer["url"]).content_type == "image/png"
    assert len({answer["key"] for answer in ours}) == 2
    assert len(kept()) == 3
    assert upload(picture()) == theirs | {"duplicate": True}


def test_an_upload_of_staff_is_no_duplicate_of_a_submission(
    picture: Picture, upload: Any, submit: Any
) -> None:
    submit(picture())

    assert upload(picture())["duplicate"] is False


def test_the_honeypot_field_must_stay_empty(picture: Picture, submit: Any, kept: Any) -> None:
    assert "website" in submit(picture(), 400, website="https://example.org")["error"]
    assert kept() == []
    submit(picture(), website="")


def test_a_plugin_can_refuse_a_submission(picture: Picture, app: Client, kept: Any) -> None:
    file = {"file": Upload("a.png", picture(), "image/png")}

    answer = app.post("/api/ycs/upload/image", file, headers={"X-Bad": "1"}, status=400)

    assert answer.json == {"error": "Not you"}
    assert kept() == []


def test_the_number_of_images_per_day_is_limited(
    clock: Clock, picture: Picture, submit: Any, upload: Any, kept: Any
) -> None:
    for seed in range(3):
        submit(picture(seed=seed))
        clock.shift(hours=1)

    assert submit(picture(seed=4), 400) == OVER
    assert len(kept()) == 3
    upload(picture(seed=5))
    clock.shift(hours=21, minutes=-1)
    submit(picture(seed=6), 400)
    clock.shift(minutes=1)
    submit(picture(seed=6))
    submit(picture(seed=7), 400)


def test_the_number_of_bytes_per_day_is_limited(picture: Picture, submit: Any, kept: Any) -> None:
    submit(picture(width=80, height=60))

    assert submit(picture(width=80, height=60, seed=2), 400) == OVER
    assert len(kept()) == 1


def test_concurrent_submissions_stay_within_the_limit(
    picture: Picture, app: Client, kept: Any
) -> None:
    def send(seed: int) -> int:
        file = {"file": Upload("a.png", picture(seed=seed), "image/png")}
        return int(app.post("/api/ycs/upload/image", file, status="*").status_int)

    with ThreadPoolExecutor(8) as threads:
        statuses = sorted(threads.map(send, range(8)))

    assert statuses == [200] * 3 + [400] * 5
    assert len(kept()) == 3
