"""Shared caches get a lifetime and keys with each public answer, if settings ask for them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import ContentItem, ContentType, Plugin, StartError, hookimpl, plugin_metadata
from masthead.instance import open_instance
from masthead.plugins import installed
from masthead.testing import Client, Desk
from masthead.testing.clock import Clock


class Base(DeclarativeBase):
    metadata = plugin_metadata("quay")


class Ship(ContentItem, Base):
    __tablename__ = "quay_ship"


SHIPS = ContentType(name="ships", label="Ship", model=Ship)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[ContentType]:
        return [SHIPS]


quay = Plugin(name="quay", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [quay]


@pytest.fixture
def ships(app: Client) -> Desk:
    return Desk(app.as_role("admin"), "ships")


def kept(app: Client, path: str, **headers: str) -> str:
    return str(app.get(path, headers=headers).headers["Cache-Control"])


def test_by_default_nothing_is_for_shared_caches(app: Client, ships: Desk) -> None:
    item = ships.create_public(title="Ark")

    for path in ("/api/ships", f"/api/ships/{item['slug']}"):
        answer = app.get(path)
        assert answer.headers["Cache-Control"] == "no-cache"
        assert not {"Surrogate-Key", "Cache-Tag", "CDN-Cache-Control"} & set(answer.headers)


class TestLifetime:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {
            "masthead.cache.s_maxage": "300",
            "masthead.cache.stale_while_revalidate": "60",
            "masthead.cache.stale_if_error": "900",
        }

    def test_a_shared_cache_keeps_an_answer_and_a_browser_does_not(
        self, app: Client, ships: Desk
    ) -> None:
        ships.create_public(title="Ark")
        expected = "max-age=0, s-maxage=300, stale-while-revalidate=60, stale-if-error=900"

        first, second = app.get("/api/ships"), app.get("/api/ships")

        assert first.headers["Cache-Control"] == second.headers["Cache-Control"] == expected
        tag = {"If-None-Match": first.headers["ETag"]}
        known = app.get("/api/ships", headers=tag, status=304)
        assert known.headers["Cache-Control"] == expected
        assert app.head("/api/ships").headers["Cache-Control"] == expected

    def test_an_answer_is_kept_no_longer_than_until_an_item_appears(
        self, clock: Clock, app: Client, ships: Desk
    ) -> None:
        item = ships.create(
            title="Ark", scheduledPublishAt=(clock.now() + timedelta(seconds=320)).isoformat()
        )
        ships.publish(item["id"])

        assert kept(app, "/api/ships").startswith(
            "max-age=0, s-maxage=300, stale-while-revalidate=20,"
        )
        clock.shift(seconds=200)
        assert kept(app, "/api/ships") == "max-age=0, s-maxage=120, stale-if-error=900"
        clock.shift(seconds=119.5)
        assert kept(app, "/api/ships") == "no-cache"
        clock.shift(seconds=1)
        assert app.get("/api/ships").json[0]["id"] == item["id"]
        assert "s-maxage=300" in kept(app, "/api/ships")

    def test_other_answers_are_not_for_shared_caches(self, app: Client, ships: Desk) -> None:
        item = ships.create(title="Ark")

        assert (
            app.get(f"/api/ships/{item['id']}", status=404).headers["Cache-Control"] == "no-store"
        )
        staff = app.as_role("admin").get("/api/staff/ships")
        assert staff.headers["Cache-Control"] == "no-store"
        assert app.get("/healthz").headers["Cache-Control"] == "no-store"
        assert kept(app, "/openapi.json").startswith("max-age=0, s-max")


class TestOwnHeader:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {
            "masthead.cache.s_maxage": "300",
            "masthead.cache.stale_if_error": "0",
            "masthead.cache.lifetime_header": "CDN-Cache-Control",
        }

    def test_a_header_for_the_cdn_leaves_that_for_browsers_alone(self, app: Client) -> None:
        answer = app.get("/api/ships")

        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.headers["CDN-Cache-Control"] == "max-age=300"


class TestKeys:
    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.cache.key_headers": "Surrogate-Key Cache-Tag"}

    def test_a_list_has_the_key_of_its_type_and_an_item_its_own(
        self, app: Client, ships: Desk
    ) -> None:
        item = ships.create_public(title="Ark")

        for _ in range(2):
            listed = app.get("/api/ships").headers["Surrogate-Key"].split()
            shown = app.get(f"/api/ships/{item['slug']}").headers["Surrogate-Key"].split()
            assert {"all", "ships"} <= set(listed)
            assert {"all", f"ships-{item['id']}", "ships-items"} <= set(shown)
            assert "ships" not in shown

    def test_the_keys_of_a_tag_header_are_separated_by_commas(self, app: Client) -> None:
        answer = app.get("/api/ships")

        keys = answer.headers["Surrogate-Key"]
        assert answer.headers["Cache-Tag"] == keys.replace(" ", ",")
        known = app.get("/api/ships", headers={"If-None-Match": answer.headers["ETag"]}, status=304)
        assert known.headers["Surrogate-Key"] == keys
        assert answer.headers["Cache-Control"] == "no-cache"

    def test_an_answer_without_tables_has_the_key_of_all(self, app: Client) -> None:
        assert app.get("/openapi.json").headers["Surrogate-Key"] == "all"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("s_maxage", "-1"),
        ("s_maxage", "5 minutes"),
        ("stale_while_revalidate", "31536001"),
        ("lifetime_header", "Expires"),
        ("key_headers", "Surrogate-Key, Cache-Tag"),
        ("key_headers", "Sur rogate:Key"),
    ],
)
def test_a_wrong_setting_stops_the_start(name: str, value: str, tmp_path: Any) -> None:
    ini = {"masthead.data": str(tmp_path), f"masthead.cache.{name}": value}

    with pytest.raises(StartError, match=rf"masthead\.cache\.{name}"):
        open_instance(ini, {}, installed())
