"""Images of visitors are kept apart from those of staff, and have a quota."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select
from webtest.forms import Upload

from masthead import Instance, Plugin, Refused, hookimpl
from masthead.testing import Client, Clock
from masthead_media.models import VisitorUsage
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


@pytest.mark.usefixtures("clock")
def test_the_time_of_decoding_is_counted(picture: Picture, submit: Any, instance: Instance) -> None:
    submit(picture("PNG")[:-12], 400)
    submit(picture("JPEG", 30, 30))

    with instance.database.transaction() as session:
        [used] = session.scalars(select(VisitorUsage))
        assert used.files == 2
        assert used.milliseconds > 0


class TestAddresses:
    """Each address has a quota of its own, so that one visitor can't use up everybody's."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.media.address_files": "3", "masthead.media.address_bytes": "20000"}

    @pytest.fixture
    def send(self, app: Client) -> Callable[..., Any]:
        def send(address: str, content: bytes, status: int = 200) -> Any:
            file = {"file": Upload("a.png", content, "image/png")}
            sender = {"REMOTE_ADDR": address}
            answer = app.post("/api/ycs/upload/image", file, extra_environ=sender, status=status)
            return answer.json

        return send

    @pytest.mark.parametrize(
        ("same", "other"),
        [
            ("192.0.2.1", "192.0.2.2"),
            ("::ffff:192.0.2.1", "192.0.2.2"),
            ("2001:db8::1", "2001:db8:0:1::1"),
        ],
    )
    def test_the_number_of_images_from_an_address_is_limited(
        self, same: str, other: str, picture: Picture, send: Any
    ) -> None:
        for seed in range(3):
            send(same, picture(seed=seed))

        assert send(same, picture(), 400) == OVER
        send(other, picture())

    def test_the_addresses_of_an_ipv6_network_count_as_one(
        self, picture: Picture, send: Any
    ) -> None:
        for number in range(3):
            send(f"2001:db8::{number}:1", picture(seed=number))

        assert send("2001:db8::ffff:ffff:ffff:ffff", picture(), 400) == OVER

    def test_the_bytes_of_refused_images_count(self, picture: Picture, send: Any) -> None:
        assert "Only images" in send("192.0.2.1", b"x" * 20_000, 400)["error"]

        assert send("192.0.2.1", picture(), 400) == OVER
        send("192.0.2.2", picture())

    def test_an_upload_that_is_over_the_quota_does_not_count(
        self, picture: Picture, send: Any
    ) -> None:
        assert send("192.0.2.1", b"x" * 20_001, 400) == OVER

        send("192.0.2.1", picture())

    def test_the_quota_of_an_address_is_restored_after_a_day(
        self, clock: Clock, picture: Picture, send: Any, instance: Instance, work: Any
    ) -> None:
        for seed in range(3):
            send("192.0.2.1", picture(seed=seed))
        clock.shift(hours=22)
        send("192.0.2.1", picture(), 400)

        clock.shift(hours=2)

        work()
        with instance.database.transaction() as session:
            assert session.scalar(select(func.count()).select_from(VisitorUsage)) == 0
        send("192.0.2.1", picture())

    def test_concurrent_uploads_of_an_address_stay_within_its_quota(
        self, picture: Picture, app: Client, kept: Any
    ) -> None:
        def send(seed: int) -> int:
            file = {"file": Upload("a.png", picture(seed=seed), "image/png")}
            return int(app.post("/api/ycs/upload/image", file, status="*").status_int)

        with ThreadPoolExecutor(8) as threads:
            statuses = list(threads.map(send, range(8)))

        assert sorted(statuses) == [200] * 3 + [400] * 5
        assert len(kept()) == 3

    def test_no_address_is_stored(self, picture: Picture, send: Any, instance: Instance) -> None:
        send("192.0.2.1", picture())

        with instance.database.transaction() as session:
            [used] = session.scalars(select(VisitorUsage))
            assert "192" not in used.visitor[:3]
            assert len(used.visitor) == 64


class TestSeconds:
    """The time of decoding is limited for each address and for all together."""

    @pytest.fixture(params=["address_seconds", "submitted_seconds"])
    def settings(self, request: pytest.FixtureRequest) -> Mapping[str, str]:
        return {f"masthead.media.{request.param}": "0"}

    def test_without_time_left_an_upload_is_refused(
        self, picture: Picture, submit: Any, upload: Any
    ) -> None:
        assert submit(picture(), 400) == OVER
        upload(picture())
