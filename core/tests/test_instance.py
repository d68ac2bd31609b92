"""An instance opens, or fails with a one-line message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import (
    Approvable,
    Check,
    ContentItem,
    ContentType,
    Permission,
    Plugin,
    Setting,
    StartError,
    hookimpl,
    plugin_metadata,
    text,
)
from masthead.core_plugin import plugin as core
from masthead.instance import Instance, instance_of, open_instance


class Base(DeclarativeBase):
    metadata = plugin_metadata("memos")


class Memo(ContentItem, Base):
    __tablename__ = "memos_memo"


MEMOS = ContentType(name="memos", label="Memo", model=Memo)


class Made:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance


class Declaring:
    """Hooks that return the declarations of a test."""

    def __init__(self, **declared: list[Any]) -> None:
        self._declared = declared

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        return self._declared.get("settings", [])

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return self._declared.get("content_types", [])

    @hookimpl
    def masthead_permissions(self) -> list[Permission]:
        return self._declared.get("permissions", [])

    @hookimpl
    def masthead_checks(self) -> list[Check]:
        return self._declared.get("checks", [])


def plugin(name: str, **declared: list[Any]) -> Plugin:
    return Plugin(name=name, hooks=(Declaring(**declared),))


class Opening:
    """Opens instances with plugins of the test, and closes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: list[Instance] = []

    def __call__(
        self, *plugins: Plugin, environ: dict[str, str] | None = None, **ini: str
    ) -> Instance:
        available = {each.name: each for each in (core, *plugins)}
        named = {f"masthead.{name}".replace("__", "."): value for name, value in ini.items()}
        self._opened.append(
            open_instance({"masthead.data": str(self._folder), **named}, environ or {}, available)
        )
        return self._opened[-1]

    def refusal(self, *plugins: Plugin, **options: Any) -> str:
        """Return the one-line message of an instance that can't be opened."""
        with pytest.raises(StartError) as error:
            self(*plugins, **options)
        assert "\n" not in str(error.value)
        assert " at 0x" not in str(error.value)
        return str(error.value)

    def close(self) -> None:
        for instance in self._opened:
            instance.close()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opening]:
    opening = Opening(tmp_path / "data")
    yield opening
    opening.close()


SETTING = Setting("masthead.memos.color", text, "blue", "The color.")


def test_opening_touches_neither_disk_nor_database(opened: Opening, tmp_path: Path) -> None:
    opened(plugin("memos"))

    assert list(tmp_path.iterdir()) == []


def test_an_instance_has_the_declarations_of_its_plugins(opened: Opening) -> None:
    check = Check("disk", lambda _instance: None)
    permission = Permission("memos.shred", "Shred memos.")

    instance = opened(
        plugin(
            "memos",
            settings=[SETTING],
            content_types=[MEMOS],
            checks=[check],
            permissions=[permission],
        )
    )

    assert [each.name for each in instance.plugins] == ["core", "memos"]
    assert instance.settings[SETTING] == "blue"
    assert instance.content_types == {"memos": MEMOS}
    assert {"memos.read", "memos.write", "memos.shred", "admin"} <= instance.permissions.keys()
    assert check in instance.checks


def test_a_session_leads_to_its_instance(instance: Instance) -> None:
    with instance.database.session(read_only=True) as session:
        assert instance_of(session) is instance


def test_two_instances_of_one_process_know_nothing_of_each_other(opened: Opening) -> None:
    first = opened(plugin("memos", settings=[SETTING]), memos__color="red")
    second = opened(plugin("memos", settings=[SETTING]))
    third = opened()

    assert (first.settings[SETTING], second.settings[SETTING]) == ("red", "blue")
    assert SETTING.name not in third.declared


def test_settings_of_a_disabled_plugin_are_accepted(opened: Opening) -> None:
    instance = opened(plugin("memos", settings=[SETTING]), plugins="core", memos__color="red")

    assert [each.name for each in instance.plugins] == ["core"]


def test_an_unknown_variable_is_warned_of(
    opened: Opening, caplog: pytest.LogCaptureFixture
) -> None:
    opened(environ={"MASTHEAD_DATABSE_URL": "postgresql://me:hush@x/y"})

    assert "MASTHEAD_DATABSE_URL is set, but there is no such setting" in caplog.text
    assert "hush" not in caplog.text


def test_an_unknown_plugin_stops_the_start(opened: Opening) -> None:
    assert opened.refusal(plugin("memos"), plugins="memo") == (
        "unknown plugin memo; did you mean memos?"
    )


def test_an_unknown_setting_stops_the_start(opened: Opening) -> None:
    assert opened.refusal(database__ur="x") == (
        "unknown setting masthead.database.ur; did you mean masthead.database.url?"
    )


def test_a_bad_value_stops_the_start(opened: Opening) -> None:
    assert opened.refusal(database__pool_size="0") == (
        "masthead.database.pool_size: expected a whole number from 1 to 500, got '0'"
    )
    assert opened.refusal(environ={"MASTHEAD_BASE_URL": "example.org"}).startswith(
        "MASTHEAD_BASE_URL: expected an address such as"
    )


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:hush@host/name",
        "postgresql://me:hush@host:port/name",
        "hush",
    ],
)
def test_a_database_url_that_cannot_be_used_stops_the_start_and_stays_secret(
    opened: Opening, url: str
) -> None:
    message = opened.refusal(database__url=url)

    assert "hush" not in message
    assert "database" in message


def test_two_plugins_of_one_setting_stop_the_start(opened: Opening) -> None:
    both = plugin("memos", settings=[SETTING]), plugin("notes", settings=[SETTING])

    place = "core/tests/test_instance.py"
    assert opened.refusal(*both).startswith(
        f"memos and notes both declare the setting masthead.memos.color ({place}:"
    )


def test_two_plugins_of_one_content_type_stop_the_start(opened: Opening) -> None:
    both = plugin("memos", content_types=[MEMOS]), plugin("notes", content_types=[MEMOS])

    refusal = opened.refusal(*both)
    assert refusal.startswith("memos and notes both declare the content type memos (")
    assert refusal.endswith("; rename it in notes")


def test_two_plugins_that_mean_different_things_by_one_permission_stop_the_start(
    opened: Opening,
) -> None:
    for name in ("letters.read", "admin"):
        one = plugin("memos", permissions=[Permission(name, "Read letters.")])
        other = plugin("notes", permissions=[Permission(name, "Read more letters.")])

        refusal = opened.refusal(one, other)

        assert f"both declare the permission {name} (" in refusal


def test_a_permission_may_be_declared_alike_twice(opened: Opening) -> None:
    reading = Permission("letters.read", "Read letters.")

    instance = opened(
        plugin("memos", permissions=[reading]), plugin("notes", permissions=[reading])
    )

    assert instance.permissions["letters.read"] == reading


def test_two_plugins_of_one_check_stop_the_start(opened: Opening) -> None:
    check = Check("database", lambda _instance: None)

    assert opened.refusal(plugin("memos", checks=[check])).startswith(
        "core and memos both declare the check database ("
    )


def test_what_an_instance_shares_is_made_once_for_each_instance(tmp_path: Path) -> None:
    first, second = (open_instance({"masthead.data": str(tmp_path)}, {}) for _ in range(2))

    made = first.shared(Made)

    assert first.shared(Made) is made
    assert made.instance is first
    assert second.shared(Made).instance is second
