"""Plugins: found by entry point, enabled by setting, ordered by their requirements."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy
from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase

from masthead import hookspecs
from masthead.errors import StartError

if TYPE_CHECKING:
    from masthead.ports.images import StoredImages

ENTRY_POINT_GROUP = "masthead.plugins"
CORE = "core"
_NAME = re.compile(r"[a-z][a-z0-9]*\Z")


@dataclass(frozen=True)
class Plugin:
    """A plugin, the object of an entry point in the group ``masthead.plugins``."""

    name: str
    """The name, ``[a-z][a-z0-9]*``; the prefix of its tables, settings and migrations."""
    hooks: tuple[object, ...]
    """Modules or objects with functions marked with ``@hookimpl``; a string is the name of a
    module, usually ``hooks=(__name__,)``."""
    base: type[DeclarativeBase] | None = None
    """The base class of its models, with ``plugin_metadata(name)``; None if it has no tables."""
    migrations: str | None = None
    """The dotted name of the package with its Alembic revisions."""
    texts: str | None = None
    """The dotted name of the package with its folders ``templates`` and ``translations``."""
    images: StoredImages | None = None
    """The table of the images that it stores."""
    requires: tuple[str, ...] = ()
    """The names of plugins that must be enabled with it."""
    version: str = ""
    """The version of the distribution, set when it is loaded."""

    def __post_init__(self) -> None:
        """Replace names of modules by the modules."""
        hooks = (import_module(each) if isinstance(each, str) else each for each in self.hooks)
        object.__setattr__(self, "hooks", tuple(hooks))

    @property
    def metadata(self) -> MetaData | None:
        """The metadata of its tables."""
        return self.base.metadata if self.base is not None else None


def installed() -> dict[str, Plugin]:
    """Return all installed plugins by name, core first.

    :raises StartError: if one can't be imported, has the wrong name, or two have the same name.
    """
    found: dict[str, Plugin] = {}
    points = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda p: (p.name != CORE, p.name))
    for point in points:
        plugin = _load(point)
        if plugin.name in found:
            raise StartError(f"two installed plugins are named {plugin.name}")
        found[plugin.name] = plugin
    return found


def is_plugin_name(name: str) -> bool:
    """Whether it is a valid name of a plugin."""
    return _NAME.match(name) is not None


def select_enabled(available: dict[str, Plugin], names: Sequence[str]) -> list[Plugin]:
    """Return the enabled plugins: core first, each plugin after those that it requires.

    :param names: the names of plugins to enable; empty means all available ones.
    :raises StartError: for an unknown name, a missing or a circular requirement.
    """
    wanted = dict.fromkeys([CORE, *(names or available)])
    for name in wanted:
        if name not in available:
            close = difflib.get_close_matches(name, list(available), n=1)
            hint = f"did you mean {close[0]}?" if close else "installed: " + ", ".join(available)
            raise StartError(f"unknown plugin {name}; {hint}")
        for required in available[name].requires:
            if required not in wanted:
                raise StartError(f"plugin {name} requires {required}, which is not enabled")
    return _ordered([available[name] for name in wanted])


class _Manager(pluggy.PluginManager):
    def parse_hookimpl_opts(self, plugin: object, name: str) -> Any:
        if not isinstance(plugin, ModuleType):
            return super().parse_hookimpl_opts(plugin, name)
        # pluggy calls inspect.getattr_static for each name of a module, which took a third of the
        # time of opening an instance. Hooks of a module are functions.
        found = vars(plugin).get(name)
        return (
            vars(found).get(f"{self.project_name}_impl")
            if isinstance(found, FunctionType)
            else None
        )


def make_manager(plugins: Iterable[Plugin]) -> pluggy.PluginManager:
    """Return a new plugin manager with the hooks of ``plugins``.

    :raises StartError: for an unknown hook or argument.
    """
    manager = _Manager("masthead")
    manager.add_hookspecs(hookspecs)
    try:
        for plugin in plugins:
            for number, hooks in enumerate(plugin.hooks):
                manager.register(hooks, name=f"{plugin.name}:{number}")
                _check_names(manager, plugin, hooks)
    except pluggy.PluginValidationError as error:
        raise StartError(" ".join(str(error).split())) from error
    return manager


def collect(manager: pluggy.PluginManager, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
    """Call a declaring hook, and pair each declaration with the name of its plugin.

    :returns: the pairs, in the order in which the plugins were registered.
    :raises StartError: for a hook wrapper, which declaring hooks don't support.
    """
    found = []
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        owner = implementation.plugin_name.partition(":")[0]
        if implementation.wrapper or implementation.hookwrapper:
            raise StartError(f"plugin {owner} wraps {hook}, but can only add to it")
        given = {name: arguments[name] for name in implementation.argnames}
        found += [(owner, item) for item in implementation.function(**given) or ()]
    return found


Declared = TypeVar("Declared")


def check_unique(
    owned: Sequence[tuple[str, Declared]],
    key: Callable[[Declared], Hashable],
    describe: Callable[[Declared], str],
) -> list[Declared]:
    """Check that declarations are unique, and return them without the names of their plugins.

    :param owned: the pairs that ``collect`` returned.
    :param key: returns the value that must be unique.
    :param describe: returns a description of a declaration, such as "the setting masthead.data".
    :raises StartError: with the names of both plugins, if two declarations have the same key.
    """
    owners: dict[Hashable, str] = {}
    for owner, item in owned:
        claimed = key(item)
        if claimed in owners:
            raise StartError(f"{owners[claimed]} and {owner} both declare {describe(item)}")
        owners[claimed] = owner
    return [item for _, item in owned]


def _check_names(manager: pluggy.PluginManager, plugin: Plugin, hooks: object) -> None:
    """Refuse unknown hooks as pluggy's ``check_pending`` does, but with a suggestion."""
    known = [name for name in vars(manager.hook) if getattr(manager.hook, name).has_spec()]
    for caller in manager.get_hookcallers(hooks) or ():
        optional = any(i.optionalhook for i in caller.get_hookimpls() if i.plugin is hooks)
        if not caller.has_spec() and not optional:
            close = difflib.get_close_matches(caller.name, known, n=1)
            guess = f"; did you mean {close[0]}?" if close else ""
            raise StartError(
                f"plugin {plugin.name} implements the unknown hook {caller.name}{guess}"
            )


def _load(point: EntryPoint) -> Plugin:
    try:
        plugin = point.load()
    except Exception as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise StartError(f"plugin {point.name} can't be imported: {why}") from error
    if (
        not isinstance(plugin, Plugin)
        or plugin.name != point.name
        or not is_plugin_name(plugin.name)
    ):
        raise StartError(f"entry point {point.name} ({point.value}) is not a Plugin of that name")
    version = point.dist.version if point.dist else ""
    return replace(plugin, version=version)


def _ordered(plugins: list[Plugin]) -> list[Plugin]:
    done: dict[str, Plugin] = {}
    while len(done) < len(plugins):
        ready = [p for p in plugins if p.name not in done and set(p.requires) <= done.keys()]
        if not ready:
            stuck = ", ".join(p.name for p in plugins if p.name not in done)
            raise StartError(f"plugins require each other in a circle: {stuck}")
        done.update((p.name, p) for p in ready)
    return list(done.values())
