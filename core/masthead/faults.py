"""Errors of plugins: the plugin that raised, the place in its code, and the remedy."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from masthead.errors import Refusal, StartError

logger = logging.getLogger(__name__)

CORE = "core"
CORRECT = "correct the plugin, or leave it out of masthead.plugins"
"""The remedy for most mistakes in the code of a plugin."""
_MAX_WORDS = 400
_FURTHER = "(Background on this error at:"
"""The beginning of the address that SQLAlchemy adds to its messages."""


class PluginError(StartError):
    """A plugin stops the start; the text names the plugin, the place in its code and the remedy."""


class Owner(str):
    """The name of the plugin that declares something, with the place of the declaring hook."""

    __slots__ = ("place",)
    place: str

    def __new__(cls, name: str, place: str) -> Owner:
        """Return the name of a plugin with a place in its code."""
        owner = super().__new__(cls, name)
        owner.place = place
        return owner


class HasPackages(Protocol):
    """A plugin, as far as its errors concern it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def packages(self) -> Collection[str]:
        """The top-level packages of its code."""


@contextmanager
def blaming(plugin: str, doing: str, packages: Collection[str], place: str = "") -> Iterator[None]:
    """Turn an exception in the block into the error of a plugin.

    :param doing: the failed action, which follows the name of the plugin: ``can't be imported``.
    :param packages: the top-level packages of the plugin.
    :param place: the place to name if the exception wasn't raised below the plugin's code.
    :raises PluginError: for any exception, but for those of core itself, and a StartError that the
        plugin raises itself, for example because of a wrong setting.
    """
    try:
        yield
    except PluginError:
        raise
    # A module that calls sys.exit() must not end the program without a word.
    except (Exception, SystemExit) as error:
        if plugin == CORE or _is_meant(error, packages):
            raise
        where = place_in(error, packages) or place
        raise _fault(plugin, doing, error, where) from error


@contextmanager
def blaming_one_of(
    plugins: Iterable[HasPackages], doing: str, remedy: str = CORRECT
) -> Iterator[None]:
    """Turn an exception in the block into the error of the plugin whose code raised it.

    :raises PluginError: for an exception below the code of one of the plugins, but for a StartError
        that the plugin raises itself; others pass.
    """
    try:
        yield
    except PluginError:
        raise
    except Exception as error:
        found = culprit(error, plugins)
        if found is None or _is_meant(error, _packages_of(plugins)):
            raise
        raise _fault(found[0], doing, error, found[1], remedy) from error


def refusal(owner: str, message: str, remedy: str = CORRECT) -> PluginError:
    """Return the error for a wrong declaration.

    :param owner: the name of the plugin; an :class:`Owner` has the place of its hook.
    """
    return PluginError(f"plugin {owner}: {message}{_within(getattr(owner, 'place', ''))}; {remedy}")


def culprit(error: BaseException, plugins: Iterable[HasPackages]) -> tuple[str, str] | None:
    """Return the plugin whose code was the last to run before an exception, and the place.

    :returns: None if no code of a plugin ran; core doesn't count.
    """
    owners = _packages_of(plugins)
    for package, place in reversed(_places(error, owners)):
        return owners[package], place
    return None


def in_plugin(error: BaseException, plugins: Iterable[HasPackages]) -> str:
    """Return the plugin that raised and the place, as a part of a line in the log; or nothing."""
    found = culprit(error, plugins)
    return f" in the plugin {found[0]} ({found[1]})" if found else ""


def place_in(error: BaseException, packages: Collection[str]) -> str:
    """Return the last place of an exception's traceback that is in one of the packages."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_file():
        return _place(error.filename, error.lineno or 1, packages)
    places = _places(error, packages)
    return places[-1][1] if places else ""


def place_of(function: object) -> str:
    """Return the file and the line of a function, without the folders above its package."""
    plain = inspect.unwrap(function) if callable(function) else None
    code = getattr(plain, "__code__", None)
    if code is None:
        return ""
    package = package_of(getattr(plain, "__module__", ""))
    return _place(code.co_filename, code.co_firstlineno, [package])


def package_of(module: str) -> str:
    """Return the top-level package of a module."""
    return module.partition(".")[0]


def describe(error: BaseException) -> str:
    """Return the type and the message of an exception in one line."""
    text = str(error).partition(_FURTHER)[0]
    if isinstance(error, SyntaxError):
        text = error.msg
    message = " ".join(text.split())
    if len(message) > _MAX_WORDS:
        message = f"{message[:_MAX_WORDS]} …"
    if isinstance(error, StartError | Refusal):
        return message
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def _fault(
    plugin: str, doing: str, error: BaseException, place: str, remedy: str = CORRECT
) -> PluginError:
    logger.debug("The plugin %s %s", plugin, doing, exc_info=error)
    return PluginError(f"plugin {plugin} {doing}: {describe(error)}{_within(place)}; {remedy}")


def _packages_of(plugins: Iterable[HasPackages]) -> dict[str, str]:
    """Return the packages of plugins, each with the name of its plugin; without those of core."""
    others = (plugin for plugin in plugins if plugin.name != CORE)
    return {package: plugin.name for plugin in others for package in plugin.packages}


def _is_meant(error: BaseException, packages: Collection[str]) -> bool:
    """Whether the code of a plugin itself raised a StartError, whose text is complete."""
    if not isinstance(error, StartError):
        return False
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    return package_of(str(frame.f_globals.get("__name__", ""))) in packages


def _within(place: str) -> str:
    return f" ({place})" if place else ""


def _places(error: BaseException, packages: Collection[str]) -> list[tuple[str, str]]:
    """Return the package and the place of each frame in the packages, the last one at the end."""
    frames = traceback.walk_tb(error.__traceback__)
    named = ((package_of(str(f.f_globals.get("__name__", ""))), f, line) for f, line in frames)
    found = [
        (package, _place(frame.f_code.co_filename, line, packages))
        for package, frame, line in named
        if package in packages
    ]
    if not found and error.__cause__ is not None:
        return _places(error.__cause__, packages)
    return found


def _place(file: str, line: int, packages: Collection[str]) -> str:
    parts = Path(file).parts
    starts = [n for n, part in enumerate(parts) if part.removesuffix(".py") in packages]
    return f"{'/'.join(parts[starts[-1] :]) if starts else file}:{line}"
