"""An instance: the enabled plugins, the settings in force and the database, opened once."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import pluggy
from sqlalchemy import Connection
from sqlalchemy.orm import Session

from masthead.db import Database
from masthead.db.content_version import STRICT, Version
from masthead.db.maintenance import Maintenance
from masthead.db.names import check_names
from masthead.db.observed import observe
from masthead.db.settings import LOCK_TIMEOUT, POOL_SIZE, PREPARED, STATEMENT_TIMEOUT
from masthead.db.slugs import RESERVED_BY_MODEL
from masthead.declarations import (
    Kinds,
    Named,
    audit_actions_of,
    by_name,
    endpoints_of,
    navigation_of,
    permissions_of,
)
from masthead.errors import StartError
from masthead.faults import blaming, blaming_one_of
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import Permission
from masthead.http.reserved_slugs import reserved_by_routes
from masthead.plugins import Plugin, collect, installed, make_manager, select_enabled
from masthead.ports.audit import AuditAction
from masthead.ports.navigation import NavigationEntry
from masthead.settings import (
    Setting,
    Settings,
    check_declarations,
    contradictions,
    doubts,
    folder,
    read_setting,
    read_settings,
    text,
    words,
)
from masthead.telemetry import process, tracing
from masthead.telemetry.hook_calls import log_hook_calls
from masthead.telemetry.process import Role
from masthead.telemetry.settings import (
    LISTEN,
    LOG_FORMAT,
    LOG_LEVELS,
    TOKEN,
    TRACING,
    WORKER_LISTEN,
)

if TYPE_CHECKING:
    from masthead.approval.declaration import Approvable
    from masthead.resources.declaration import Resource

logger = logging.getLogger(__name__)

PLUGINS = Setting(
    "masthead.plugins",
    words,
    "",
    "Plugins to enable, separated by blanks; blank means all installed plugins.",
)
DATA = Setting(
    "masthead.data",
    folder,
    "./var",
    "Folder of all files that Masthead writes: database, secrets, media.",
    shows=False,
)
DATABASE_URL = Setting(
    "masthead.database.url",
    text,
    "",
    "sqlite:///folder/file or postgresql://user:password@host/name; blank means SQLite in the data"
    " folder.",
    secret=True,
)
Made = TypeVar("Made")


class Trouble(str):
    """A problem that a check has found, with a remedy of its own."""

    __slots__ = ("remedy",)
    remedy: str
    """The instruction that solves it, in place of the remedy of the check."""

    def __new__(cls, text: str, remedy: str) -> Trouble:
        """Return a problem with its remedy."""
        trouble = super().__new__(cls, text)
        trouble.remedy = remedy
        return trouble


@dataclass(frozen=True)
class Check:
    """A condition that holds in a healthy instance."""

    name: str
    trouble: Callable[[Instance], str | None]
    """Returns a short description of the problem, which can be a :class:`Trouble`; None if there is
    none."""
    readiness: bool = True
    """Whether ``GET /readyz`` shows it, to everybody. Otherwise only ``GET /status`` reports it, to
    administrators, so the description may quote other servers."""
    needed: bool = True
    """Whether ``GET /readyz`` answers 503 while it fails. Use False if reads go on meanwhile."""
    level: Literal["error", "warning"] = "error"
    """How ``masthead doctor`` shows a problem; only errors change its exit status."""
    remedy: str = ""
    """The instruction that solves the problem, for ``masthead doctor`` and the log of the start."""
    status: bool = True
    """Whether ``GET /status`` runs it. Otherwise only ``masthead doctor`` does, because it takes
    long or concerns the command."""
    warn: bool = False
    """Whether a server or a worker runs it at its start although ``GET /status`` doesn't, and logs
    a problem. The start doesn't wait for it."""
    start: bool = False
    """Whether a problem stops the opening of the instance, and so each start and command. It must
    use neither the database nor another server. It holds in an open instance, so ``GET /status``
    doesn't run it."""

    def remedy_for(self, trouble: str) -> str:
        """Return the remedy for a problem that the check has found."""
        return trouble.remedy if isinstance(trouble, Trouble) else self.remedy


@dataclass(frozen=True)
class Reading:
    """A gauge that is read from the database, for metrics and ``GET /api/staff/system``."""

    name: str
    """The name of the metric, ``masthead_<area>_<thing>``."""
    help: str
    """One line for the person who reads it."""
    labels: tuple[str, ...]
    """The names of the labels. Their values must come from a limited set."""
    read: Callable[[Instance, Connection], Iterable[tuple[tuple[str, ...], float]]]
    """Returns the value for each combination of labels, with one cheap query. The result is used
    for some seconds."""


@dataclass(frozen=True)
class Instance:
    """An open instance: plugins, settings, database and declarations; immutable."""

    plugins: tuple[Plugin, ...]
    """The enabled plugins: core first, each plugin after those that it requires."""
    declared: Mapping[str, Setting[Any]]
    """The settings of the enabled plugins, by name."""
    settings: Settings
    hooks: pluggy.HookRelay
    manager: pluggy.PluginManager
    database: Database
    content_types: Mapping[str, Approvable]
    """The approvable types of the enabled plugins, by name; ``content_types_of`` returns those that
    are a ``ContentType``."""
    resources: Mapping[str, Resource]
    owners: Mapping[str, str]
    """The plugin that declares each content type and resource, by the name of these."""
    permissions: Mapping[str, Permission]
    audit_actions: Mapping[str, AuditAction]
    """The actions that the audit log can record, by name."""
    navigation: tuple[NavigationEntry, ...]
    """The pages of the enabled plugins, in order."""
    version: Version
    maintenance: Maintenance
    readings: tuple[Reading, ...]
    all_checks: tuple[Check, ...]
    """All checks, which ``masthead doctor`` runs."""
    doubts: tuple[str, ...]
    """Lines about unknown keys, unknown environment variables and deprecated settings; logged at
    the start."""
    _shared: dict[Callable[[Instance], Any], Any] = dataclass_field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The checks of ``GET /status``, of which the readiness is a part."""
        return tuple(each for each in self.all_checks if each.status and not each.start)

    @cached_property
    def endpoints(self) -> list[Endpoint]:
        """All endpoints, in the order in which they are matched.

        :raises StartError: for endpoints with the same address, or an undeclared permission.
        """
        owned = collect(self.manager, "masthead_routes", (Endpoint,), instance=self)
        return endpoints_of(owned, self.owners, self.permissions)

    def shared(self, make: Callable[[Instance], Made]) -> Made:
        """Return what ``make`` makes of the instance, the same object at each call.

        For what costs something to build and depends on nothing but the instance, such as
        statements. Any thread may ask for it.
        """
        if make not in self._shared:
            # Two threads may both make one; all get that of the first.
            self._shared.setdefault(make, make(self))
        made: Made = self._shared[make]
        return made

    @cached_property
    def data(self) -> Path:
        """The data folder, in which each plugin with files has a folder of its own."""
        return Path(self.settings[DATA])

    def folder(self, name: str) -> Path:
        """Return a folder in ``data``, which is made if it is missing and only its owner can read.

        :param name: the name of the plugin, or a path that begins with it: ``jobs/letters``.
        """
        path = self.data / name
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    def close(self) -> None:
        """Close the database's connections."""
        self.database.dispose()


def open_instance(
    ini: Mapping[str, str],
    environ: Mapping[str, str] = os.environ,
    available: Mapping[str, Plugin] | None = None,
    *,
    check: bool = True,
) -> Instance:
    """Open an instance without touching its database.

    :param ini: the settings in the section of the ini file.
    :param available: plugins by name; by default the installed ones.
    :param check: whether a failed check of the start is an error.
    :raises StartError: with a one-line message.
    """
    available = available if available is not None else installed()
    plugins = _enabled(available, ini, environ)
    disabled = available.keys() - {plugin.name for plugin in plugins}
    manager = make_manager(plugins)
    declared = check_declarations(collect(manager, "masthead_settings", (Setting,)))
    settings = read_settings(declared, ini, environ, disabled)
    kinds = Kinds(manager)
    check_names(plugins)
    database = _open_database(settings)
    instance = Instance(
        plugins=tuple(plugins),
        declared=declared,
        settings=settings,
        hooks=manager.hook,
        manager=manager,
        database=database,
        version=_version(database, settings, plugins),
        maintenance=Maintenance(database),
        content_types=kinds.content_types,
        resources=kinds.resources,
        owners=kinds.owners,
        permissions=permissions_of(manager, kinds.content_types, kinds.resources),
        audit_actions=audit_actions_of(manager, kinds.resources),
        navigation=navigation_of(manager),
        all_checks=_of_kind(Check, "check", manager),
        doubts=_log_doubts(doubts(declared, ini, environ, disabled)),
        readings=_of_kind(Reading, "reading", manager),
    )
    _complete(instance)
    if check:
        _check_start(instance)
    return instance


def instance_of(session: Session) -> Instance:
    """Return the instance to whose database a session belongs."""
    instance: Instance = session.info["masthead.instance"]
    return instance


def _enabled(
    available: Mapping[str, Plugin], ini: Mapping[str, str], environ: Mapping[str, str]
) -> list[Plugin]:
    """Return the enabled plugins. Only they are imported: a broken one that isn't stops nothing."""
    names = read_setting(PLUGINS, ini, environ)
    return select_enabled(available, names)


def _check_start(instance: Instance) -> None:
    """Stop before anything is touched.

    :raises StartError: with the problems that the checks of the start find.
    """
    found = []
    for each in instance.all_checks:
        if each.start:
            with blaming_one_of(instance.plugins, f"fails in its check {each.name}"):
                found.append(each.trouble(instance))
    if wrong := "; ".join(trouble for trouble in found if trouble):
        raise StartError(wrong)


def _of_kind(kind: type[Named], name: str, manager: pluggy.PluginManager) -> tuple[Named, ...]:
    owned = collect(manager, "masthead_checks", (Check, Reading))
    return tuple(by_name(name, [each for each in owned if isinstance(each[1], kind)]).values())


def start_telemetry(instance: Instance, role: Role) -> None:
    """Start metrics and tracing in this process, as far as the settings wish; call it once.

    :raises StartError: if tracing is wanted and can't start.
    """
    settings = instance.settings
    wanted = (LISTEN, WORKER_LISTEN) if role == "worker" else (LISTEN,)
    if settings[TOKEN] or any(settings[each] for each in wanted):
        process.start(role)
    if settings[TRACING]:
        tracing.start()
    observe(instance.database)


def _open_database(settings: Settings) -> Database:
    url = settings[DATABASE_URL] or f"sqlite:///{settings[DATA]}/masthead.db"
    return Database(url, pool_size=settings[POOL_SIZE], prepared=settings[PREPARED])


def _version(database: Database, settings: Settings, plugins: Iterable[Plugin]) -> Version:
    metadata = [plugin.metadata for plugin in plugins if plugin.metadata is not None]
    return Version(database, strict=settings[STRICT], metadata=metadata)


def _log_doubts(lines: Sequence[str]) -> tuple[str, ...]:
    for line in lines:
        logger.warning("%s", line)
    return tuple(lines)


def _complete(instance: Instance) -> None:
    """Connect the database with the hooks of the instance, and configure its models."""
    hooks = instance.hooks
    instance.database.session_info["masthead.instance"] = instance
    instance.database.session_info[RESERVED_BY_MODEL] = partial(reserved_by_routes, instance)
    instance.database.before_commit = lambda session: hooks.masthead_committing(session=session)
    _configure_models(instance.plugins)
    log_hook_calls(instance.manager)


def _configure_models(plugins: Iterable[Plugin]) -> None:
    """Configure the mappers of the enabled plugins only; others may be incomplete."""
    for plugin in plugins:
        if plugin.base is not None:
            with blaming(plugin.name, "has models that don't fit together", plugin.packages):
                plugin.base.registry.configure(cascade=True)


def settings_trouble(instance: Instance) -> str | None:
    """Return the settings of enabled plugins that contradict each other."""
    enabled = [setting for _, setting in collect(instance.manager, "masthead_settings")]
    return "; ".join(contradictions(instance.settings, enabled)) or None


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the check of related settings."""
    return [Check("settings", settings_trouble, start=True)]


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of an instance."""
    return [
        PLUGINS,
        DATA,
        DATABASE_URL,
        POOL_SIZE,
        PREPARED,
        LOCK_TIMEOUT,
        STATEMENT_TIMEOUT,
        LISTEN,
        WORKER_LISTEN,
        TOKEN,
        TRACING,
        LOG_FORMAT,
        LOG_LEVELS,
    ]
