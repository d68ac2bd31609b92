"""Plugins: found by entry point, enabled by setting, ordered by their requirements."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module, resources
from importlib.metadata import EntryPoint, entry_points
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import pluggy
from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase

from masthead import hookspecs
from masthead.errors import StartError
from masthead.faults import CORE, Owner, PluginError, blaming, package_of, place_of, refusal

if TYPE_CHECKING:
    from masthead.ports.images import StoredImages

ENTRY_POINT_GROUP = "masthead.plugins"
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
    distribution: str = ""
    """The name of the distribution, set when it is loaded."""

    def __post_init__(self) -> None:
        """Replace names of modules by the modules."""
        if not isinstance(self.hooks, tuple | list):
            raise TypeError("hooks must be a tuple, such as hooks=(__name__,)")
        hooks = (import_module(each) if isinstance(each, str) else each for each in self.hooks)
        object.__setattr__(self, "hooks", tuple(hooks))

    @property
    def metadata(self) -> MetaData | None:
        """The metadata of its tables."""
        return self.base.metadata if self.base is not None else None

    @property
    def packages(self) -> frozenset[str]:
        """The top-level packages of its code."""
        modules = [_module_of(each) for each in self.hooks]
        modules += [self.base.__module__] if self.base is not None else []
        own = frozenset(package_of(module) for module in modules)
        # The object with the hooks may be of a class of core.
        return own if self.name == CORE else own - {package_of(__name__)}


class Installed(Mapping[str, Plugin]):
    """The installed plugins by name, core first; a plugin is imported when it is looked up."""

    def __init__(self, points: Iterable[EntryPoint]) -> None:
        self._points: dict[str, list[EntryPoint]] = {}
        for point in sorted(points, key=lambda each: (each.name != CORE, each.name)):
            self._points.setdefault(point.name, []).append(point)
        self._loaded: dict[str, Plugin] = {}

    def adding(self, plugins: Mapping[str, Plugin]) -> Installed:
        """Return these plugins with further ones, which replace those of their names."""
        points = [point for found in self._points.values() for point in found]
        both = Installed(points)
        both._points |= {name: [] for name in plugins if name not in both._points}
        both._loaded = {**self._loaded, **plugins}
        return both

    def __getitem__(self, name: str) -> Plugin:
        """Return the plugin with a name.

        :raises StartError: if it can't be imported, has the wrong name, or two have the same name.
        """
        if name not in self._loaded:
            first, *others = self._points[name]
            if others:
                sources = " and ".join(_distribution(each)[0] for each in (first, *others))
                raise StartError(
                    f"two installed plugins are named {name}: of {sources}; uninstall one of them"
                )
            self._loaded[name] = _load(first)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        """Whether a plugin of that name is installed, without importing it."""
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, without importing the plugins."""
        return iter(self._points)

    def __len__(self) -> int:
        """Return the number of installed plugins."""
        return len(self._points)

    def distribution(self, name: str) -> tuple[str, str]:
        """Return the name and the version of the distribution of a plugin, without importing it."""
        return _distribution(self._points[name][0])


def installed() -> Installed:
    """Return all installed plugins by name, core first; none of them is imported yet."""
    return Installed(entry_points(group=ENTRY_POINT_GROUP))


def is_plugin_name(name: str) -> bool:
    """Whether it is a valid name of a plugin."""
    return _NAME.match(name) is not None


def select_enabled(available: Mapping[str, Plugin], names: Sequence[str]) -> list[Plugin]:
    """Return the enabled plugins: core first, each plugin after those that it requires.

    :param names: the names of plugins to enable; empty means all available ones.
    :raises StartError: for an unknown name, a missing or a circular requirement, and a plugin that
        can't be used.
    """
    wanted = dict.fromkeys([CORE, *(names or available)])
    for name in wanted:
        if name not in available:
            close = difflib.get_close_matches(name, list(available), n=1)
            hint = f"did you mean {close[0]}?" if close else "installed: " + ", ".join(available)
            raise StartError(f"unknown plugin {name}; {hint}")
        for required in available[name].requires:
            if required not in wanted:
                missing, remedy = "installed", "install it"
                if required in available:
                    missing, remedy = "enabled", "add it to masthead.plugins"
                raise StartError(
                    f"plugin {name} requires {required}, which is not {missing}; {remedy}"
                )
        _check_parts(available[name])
    return _ordered([available[name] for name in wanted])


def _check_parts(plugin: Plugin) -> None:
    """Check the tables and the packages that a plugin names.

    :raises PluginError: for the first one that is wrong.
    """
    metadata = plugin.metadata
    if metadata is not None and metadata.info.get("plugin") != plugin.name:
        declared = f'metadata = plugin_metadata("{plugin.name}")'
        raise refusal(plugin.name, f"its base class must have {declared}")
    for table in metadata.tables.values() if metadata is not None else ():
        if not table.name.startswith(f"{plugin.name}_"):
            raise refusal(plugin.name, f"its table {table.name} must be named {plugin.name}_…")
    if plugin.migrations is not None:
        _check_package(plugin, "migrations", plugin.migrations)
    if plugin.texts is not None:
        _check_package(plugin, "texts", plugin.texts, "templates", "translations")


def _check_package(plugin: Plugin, attribute: str, package: str, *folders: str) -> None:
    """Check that a package exists, and has one of the folders if any are given.

    :raises PluginError: if it doesn't.
    """
    with blaming(plugin.name, f"names the package {package} as its {attribute}", plugin.packages):
        root = resources.files(package)
    if folders and not any(root.joinpath(folder).is_dir() for folder in folders):
        raise refusal(
            plugin.name, f"its package {package} ({attribute}) has no folder {' or '.join(folders)}"
        )


def _module_of(hooks: object) -> str:
    """Return the name of the module with the hooks."""
    if isinstance(hooks, ModuleType):
        return hooks.__name__
    return (hooks if isinstance(hooks, type) else type(hooks)).__module__


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

    :raises StartError: for an unknown hook or argument, and a hook without its marker.
    """
    manager = _Manager("masthead")
    manager.add_hookspecs(hookspecs)
    for plugin in plugins:
        for number, hooks in enumerate(plugin.hooks):
            try:
                manager.register(hooks, name=f"{plugin.name}:{number}")
            except pluggy.PluginValidationError as error:
                raise _wrong_arguments(plugin, hooks, error) from error
            _check_names(manager, plugin, hooks)
    return manager


def collect(
    manager: pluggy.PluginManager, hook: str, kinds: tuple[type, ...] = (), **arguments: Any
) -> list[tuple[str, Any]]:
    """Call a declaring hook, and pair each declaration with the name of its plugin.

    :param kinds: the types of the declarations; by default, they aren't checked.
    :returns: the pairs, in the order in which the plugins were registered. The names are
        :class:`Owner`.
    :raises StartError: for a hook that raises or returns anything else, and for a hook wrapper,
        which declaring hooks don't support.
    """
    found: list[tuple[str, Any]] = []
    caller = getattr(manager.hook, hook)
    for implementation in caller.get_hookimpls():
        function = implementation.function
        owner = Owner(implementation.plugin_name.partition(":")[0], place_of(function))
        if implementation.wrapper or implementation.hookwrapper:
            raise StartError(f"plugin {owner} wraps {hook}, but can only add to it")
        given = {name: arguments[name] for name in implementation.argnames}
        with blaming(owner, f"fails in {hook}", {package_of(function.__module__)}, owner.place):
            answer = function(**given)
            _check_answer(answer, caller.spec.function.__annotations__["return"], kinds)
        found += [(owner, item) for item in answer or ()]
    return found


def _check_answer(answer: object, specified: str, kinds: tuple[type, ...]) -> None:
    """Check the answer of a declaring hook.

    :param specified: the type of the answer in the specification of the hook.
    :raises StartError: if the answer is of another type.
    """
    if not specified.startswith("list["):
        return
    if not isinstance(answer, list | tuple):
        kind = "None" if answer is None else f"a {type(answer).__name__}"
        raise StartError(f"it returns {kind} instead of {specified}")
    for item in answer:
        if isinstance(item, type):
            raise StartError(f"it returns the class {item.__name__} instead of an object of it")
        if not isinstance(item, kinds or object):
            raise StartError(f"it returns a {type(item).__name__} in its list, not {specified}")


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
            raise both_declare(owners[claimed], owner, describe(item))
        owners[claimed] = owner
    return [item for _, item in owned]


def both_declare(first: str, second: str, described: str) -> StartError:
    """Return the error for something that two plugins declare, or one of them twice."""
    place = getattr(second, "place", "")
    remedy = "rename one of them" if first == second else f"rename it in {second}"
    where = f" ({place})" if place and second != CORE else ""
    return PluginError(f"{first} and {second} both declare {described}{where}; {remedy}")


def _check_names(manager: pluggy.PluginManager, plugin: Plugin, hooks: object) -> None:
    """Refuse unknown hooks as pluggy's ``check_pending`` does, but with a suggestion."""
    known = [name for name in vars(manager.hook) if getattr(manager.hook, name).has_spec()]
    implemented = manager.get_hookcallers(hooks) or ()
    for caller in implemented:
        optional = any(i.optionalhook for i in caller.get_hookimpls() if i.plugin is hooks)
        if not caller.has_spec() and not optional:
            close = difflib.get_close_matches(caller.name, known, n=1)
            guess = f"; did you mean {close[0]}?" if close else ""
            raise PluginError(
                f"plugin {plugin.name} implements the unknown hook {caller.name}"
                f"{_at(hooks, caller.name)}{guess}"
            )
    unmarked = set(known).intersection(dir(hooks)) - {caller.name for caller in implemented}
    for name in sorted(unmarked):
        raise PluginError(
            f"plugin {plugin.name} has the function {name} without @hookimpl{_at(hooks, name)};"
            " add the marker"
        )


def _wrong_arguments(
    plugin: Plugin, hooks: object, error: pluggy.PluginValidationError
) -> PluginError:
    """Return the error for a hook whose arguments differ from its specification."""
    *_, detail = str(error).strip().splitlines()
    if isinstance(hooks, type) and "'self'" in detail:
        detail = f"hooks needs an object of the class {hooks.__name__}"
    named = re.search(r"for hook '(\w+)'", str(error))
    name = named[1] if named else ""
    return PluginError(
        f"plugin {plugin.name} implements {name} wrongly: {detail}{_at(hooks, name)};"
        " docs/hooks.md has its arguments"
    )


def _at(hooks: object, name: str) -> str:
    """Return the place of a hook's implementation in brackets."""
    place = place_of(getattr(hooks, name, None))
    return f" ({place})" if place else ""


def _load(point: EntryPoint) -> Plugin:
    """Import a plugin.

    :raises StartError: if that fails, or the entry point isn't a plugin of its name.
    """
    with blaming(point.name, "can't be imported", {package_of(point.module)}, point.value):
        plugin = point.load()
    if (
        not isinstance(plugin, Plugin)
        or plugin.name != point.name
        or not is_plugin_name(plugin.name)
    ):
        raise StartError(f"entry point {point.name} ({point.value}) is not a Plugin of that name")
    distribution, version = _distribution(point)
    return replace(plugin, version=version, distribution=distribution)


def _distribution(point: EntryPoint) -> tuple[str, str]:
    """Return the name and the version of the distribution of an entry point."""
    return (point.dist.name, point.dist.version) if point.dist else ("", "")


def _ordered(plugins: list[Plugin]) -> list[Plugin]:
    done: dict[str, Plugin] = {}
    while len(done) < len(plugins):
        ready = [p for p in plugins if p.name not in done and set(p.requires) <= done.keys()]
        if not ready:
            stuck = ", ".join(p.name for p in plugins if p.name not in done)
            raise StartError(f"plugins require each other in a circle: {stuck}")
        done.update((p.name, p) for p in ready)
    return list(done.values())
