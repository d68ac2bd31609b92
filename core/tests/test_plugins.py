"""Plugins are enabled, ordered and checked before the start."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from masthead.core_plugin import plugin as core
from masthead.errors import StartError
from masthead.hookspecs import hookimpl
from masthead.plugins import Plugin, collect, installed, make_manager, select_enabled
from masthead.settings import Setting, text


def plugin(name: str, *requires: str, hooks: tuple[object, ...] = ()) -> Plugin:
    return Plugin(name=name, hooks=hooks, requires=requires)


def available(*plugins: Plugin) -> dict[str, Plugin]:
    return {each.name: each for each in (plugin("core"), *plugins)}


def names(plugins: list[Plugin]) -> list[str]:
    return [each.name for each in plugins]


def line_of(function: Callable[..., object]) -> int:
    return function.__code__.co_firstlineno


def one_line(error: pytest.ExceptionInfo[StartError]) -> str:
    message = str(error.value)
    assert "\n" not in message
    assert " at 0x" not in message
    return message


def test_core_is_installed_and_comes_first() -> None:
    found = installed()

    assert next(iter(found)) == "core"
    assert found["core"].hooks == core.hooks
    assert found["core"].version


def test_without_names_all_that_are_available_are_enabled() -> None:
    assert names(select_enabled(available(plugin("news"), plugin("events")), [])) == [
        "core",
        "news",
        "events",
    ]


def test_named_plugins_come_after_core_and_their_requirements() -> None:
    plugins = available(
        plugin("feeds", "news", "events"), plugin("news", "site"), plugin("events"), plugin("site")
    )

    chosen = names(select_enabled(plugins, ["feeds", "news", "events", "site", "news"]))

    assert chosen == ["core", "events", "site", "news", "feeds"]
    assert names(select_enabled(plugins, ["events", "core"])) == ["core", "events"]


def test_an_unknown_plugin_stops_the_start_with_a_guess() -> None:
    with pytest.raises(StartError) as error:
        select_enabled(available(plugin("news"), plugin("events")), ["newz"])
    assert one_line(error) == "unknown plugin newz; did you mean news?"

    with pytest.raises(StartError) as error:
        select_enabled(available(plugin("news")), ["zzz"])
    assert one_line(error) == "unknown plugin zzz; installed: core, news"


def test_a_missing_requirement_stops_the_start() -> None:
    with pytest.raises(StartError) as error:
        select_enabled(available(plugin("feeds", "news"), plugin("news")), ["feeds"])

    assert one_line(error) == (
        "plugin feeds requires news, which is not enabled; add it to masthead.plugins"
    )
    with pytest.raises(StartError) as error:
        select_enabled(available(plugin("feeds", "news")), [])

    assert one_line(error) == "plugin feeds requires news, which is not installed; install it"


def test_a_circular_requirement_stops_the_start() -> None:
    plugins = available(plugin("a", "b"), plugin("b", "c"), plugin("c", "a"), plugin("d"))

    with pytest.raises(StartError) as error:
        select_enabled(plugins, [])

    assert one_line(error) == "plugins require each other in a circle: a, b, c"


class Misspelt:
    @hookimpl
    def masthead_rotues(self) -> list[Any]:
        return []


class Demanding:
    @hookimpl
    def masthead_settings(self, request: Any) -> list[Any]:
        return [request]


class Optional:
    @hookimpl(optionalhook=True)
    def masthead_of_another_plugin(self) -> list[Any]:
        return []


def test_a_misspelt_hook_stops_the_start_with_a_guess() -> None:
    with pytest.raises(StartError) as error:
        make_manager([plugin("news", hooks=(Misspelt(),))])

    assert one_line(error) == (
        "plugin news implements the unknown hook masthead_rotues"
        f" (core/tests/test_plugins.py:{line_of(Misspelt.masthead_rotues)});"
        " did you mean masthead_routes?"
    )


def test_a_hook_with_unknown_arguments_stops_the_start() -> None:
    with pytest.raises(StartError) as error:
        make_manager([plugin("news", hooks=(Demanding(),))])

    message = one_line(error)
    assert "news" in message
    assert "masthead_settings" in message
    assert "request" in message


def test_a_hook_of_a_plugin_that_is_not_there_may_be_optional() -> None:
    assert make_manager([plugin("news", hooks=(Optional(),))]).get_plugins()


def test_declarations_are_gathered_with_the_name_of_their_plugin() -> None:
    class Declaring:
        def __init__(self, name: str) -> None:
            self.setting = Setting(f"masthead.{name}.x", text, "", "")

        @hookimpl
        def masthead_settings(self) -> list[Setting[Any]]:
            return [self.setting]

    news, events = Declaring("news"), Declaring("events")
    manager = make_manager([plugin("news", hooks=(news,)), plugin("events", hooks=(events,))])

    gathered = collect(manager, "masthead_settings")

    assert gathered == [("news", news.setting), ("events", events.setting)]


class Wraps:
    @hookimpl(wrapper=True)
    def masthead_settings(self) -> Iterator[Any]:
        return (yield)


def test_a_wrapper_of_a_declaring_hook_stops_the_start() -> None:
    manager = make_manager([core, plugin("memos", hooks=(Wraps(),))])

    with pytest.raises(StartError) as error:
        collect(manager, "masthead_settings")

    assert one_line(error) == "plugin memos wraps masthead_settings, but can only add to it"


def test_two_managers_know_nothing_of_each_other() -> None:
    first = make_manager([plugin("news", hooks=(Optional(),))])
    second = make_manager([])

    assert first.get_plugins()
    assert not second.get_plugins()


class Installing:
    """Distributions in a folder on the path, as if they were installed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, name: str, code: str, point: str = "") -> None:
        (self._folder / f"{name}_module.py").write_text(code)
        info = self._folder / f"{name}-3.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 3.1\n")
        line = f"{point or name} = {name}_module:plugin"
        (info / "entry_points.txt").write_text(f"[masthead.plugins]\n{line}\n")

    def refusal(self, name: str = "zebras") -> str:
        """Return the error of importing an installed plugin."""
        with pytest.raises(StartError) as error:
            installed()[name]
        return one_line(error)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installing]:
    monkeypatch.syspath_prepend(tmp_path)
    yield Installing(tmp_path)
    for name in [name for name in sys.modules if name.endswith("_module")]:
        if str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]


PLUGIN = "from masthead import Plugin\nplugin = Plugin(name={!r}, hooks=())\n"


def test_an_installed_plugin_is_found_with_its_version(install: Installing) -> None:
    install("zebras", PLUGIN.format("zebras"))

    assert installed()["zebras"].version == "3.1"


def test_a_plugin_that_fails_to_be_imported_stops_the_start(install: Installing) -> None:
    install("zebras", "raise RuntimeError('no\\nzebra')")

    assert install.refusal() == (
        "plugin zebras can't be imported: RuntimeError: no zebra (zebras_module.py:1);"
        " correct the plugin, or leave it out of masthead.plugins"
    )


@pytest.mark.parametrize(
    "code", ["plugin = 7", PLUGIN.format("horses"), PLUGIN.format("Zebras"), PLUGIN.format("")]
)
def test_an_entry_point_that_is_no_plugin_of_its_name_stops_the_start(
    install: Installing, code: str
) -> None:
    install("zebras", code)

    assert install.refusal() == (
        "entry point zebras (zebras_module:plugin) is not a Plugin of that name"
    )


def test_two_installed_plugins_of_one_name_stop_the_start(install: Installing) -> None:
    install("zebras", PLUGIN.format("zebras"))
    install("quaggas", PLUGIN.format("zebras"), point="zebras")

    assert install.refusal() == (
        "two installed plugins are named zebras: of quaggas and zebras; uninstall one of them"
    )
