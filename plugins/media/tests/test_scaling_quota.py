"""Scaling images for a visitor is limited by a quota, which all servers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from webtest import TestApp

from masthead import Instance
from masthead.testing import Client, Clock
from masthead.web.app import app_of
from masthead_media.services.quotas import count_scaling, has_scaling_time
from masthead_media.settings import RENDITION_SECONDS
from masthead_media.visitors import visitor_of

Picture = Callable[..., bytes]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.media.widths": "100 64 200"}


class TestQuota:
    """A visitor whose time is used up gets images as they are."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.media.widths": "64 100", "masthead.media.rendition_seconds": "0"}

    def test_the_image_itself_is_served_for_now(
        self, picture: Picture, upload: Any, app: Client, kept: Any
    ) -> None:
        image = upload(picture("JPEG", 300, 150))

        for _ in range(2):
            answer = app.get(f"{image['url']}?w=64")
            assert answer.body == app.get(image["url"]).body
            assert answer.headers["Cache-Control"] == "no-store"
        assert kept() == [image["key"]]
        assert app.get(image["url"]).headers["Cache-Control"].startswith("public")

    def test_a_rendition_that_exists_is_served(
        self, picture: Picture, upload: Any, app: Client, opened: Any
    ) -> None:
        image = upload(picture("JPEG", 300, 150))
        # Without an address there is no quota, as behind a socket of the file system.
        app.get(f"{image['url']}?w=64", extra_environ={"REMOTE_ADDR": ""})

        answer = app.get(f"{image['url']}?w=64")

        assert opened(answer.body).size == (64, 32)
        assert answer.headers["Cache-Control"].startswith("public")


def test_the_time_of_scaling_is_limited_for_each_address_and_a_day(
    instance: Instance, clock: Clock
) -> None:
    limit = instance.settings[RENDITION_SECONDS]

    count_scaling(instance, "a", limit - 1)
    assert has_scaling_time(instance, "a")
    clock.shift(hours=1)
    count_scaling(instance, "a", 1)

    assert not has_scaling_time(instance, "a")
    assert has_scaling_time(instance, "b")
    clock.shift(days=1)
    assert has_scaling_time(instance, "a")


def test_the_time_of_scaling_is_no_time_of_uploads(
    instance: Instance, picture: Picture, submit: Any
) -> None:
    count_scaling(instance, None, 1_000_000)
    count_scaling(instance, visitor_of("127.0.0.1"), 1_000_000)

    submit(picture("JPEG", 30, 30))


def test_two_servers_share_the_time_of_scaling(
    picture: Picture, upload: Any, app: Client, instance: Instance, kept: Any
) -> None:
    image = upload(picture("JPEG", 300, 150))
    other = TestApp(app_of(instance))
    count_scaling(instance, visitor_of("192.0.2.1"), instance.settings[RENDITION_SECONDS])

    for server in (app, other):
        server.get(f"{image['url']}?w=64", extra_environ={"REMOTE_ADDR": "192.0.2.1"})
        assert kept() == [image["key"]]
    other.get(f"{image['url']}?w=64", extra_environ={"REMOTE_ADDR": "192.0.2.2"})
    assert len(kept()) == 2


def test_a_rendition_is_made_while_the_database_refuses_to_count(
    picture: Picture, upload: Any, app: Client, instance: Instance, kept: Any
) -> None:
    image = upload(picture("JPEG", 300, 150))

    def refuse(_connection: object) -> None:
        raise OperationalError("BEGIN", None, Exception("read-only"))

    event.listen(instance.database.engine, "begin", refuse)
    try:
        app.get(f"{image['url']}?w=64")
    finally:
        event.remove(instance.database.engine, "begin", refuse)

    assert len(kept()) == 2
