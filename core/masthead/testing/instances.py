"""Instances that tests share, one after the other: opening and assembling one takes long."""

from __future__ import annotations

import shutil
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from wsgiref.types import WSGIApplication

from masthead.auth.tokens import SECRETS
from masthead.db.content_version import touch
from masthead.http.routes import BASE_URL
from masthead.instance import DATA, DATABASE_URL, PLUGINS, Instance, open_instance
from masthead.plugins import Plugin
from masthead.testing.answers import AnswerChecker
from masthead.testing.databases import disable_fsync
from masthead.testing.declared import Received
from masthead.web.app import app_of

_SECRET = "4d0f2c77b1e94a8c9f63a1d85be27c06"
_MAX_IDLE = 6  # instances that a process keeps


class SharedApp:
    """An open instance, and what is made of it once."""

    def __init__(self, instance: Instance, received: Received) -> None:
        self.instance = instance
        self._received = received

    @cached_property
    def app(self) -> WSGIApplication:
        """Its application."""
        return app_of(self.instance)

    @cached_property
    def checker(self) -> AnswerChecker:
        """What compares the application's answers with its declarations."""
        base_url = self.instance.settings[BASE_URL]
        return AnswerChecker(self.instance.endpoints, self._received, base_url)


class Instances:
    """Lends the instances of one test process.

    :param folder: where their files may lie.
    :param received: where the checkers of their answers note what they saw.
    """

    def __init__(self, folder: Path, received: Received) -> None:
        self._folder = folder
        self._received = received
        self._idle: OrderedDict[Hashable, SharedApp] = OrderedDict()
        self._in_use: list[SharedApp] = []
        self._opened = 0

    @contextmanager
    def acquire(
        self,
        available: Mapping[str, Plugin],
        names: Sequence[str],
        settings: Mapping[str, str],
        url: str,
    ) -> Iterator[Instance]:
        """Give an instance with an empty data folder; its database is taken as it is.

        :param available: plugins by name.
        :param names: those that are enabled; none means all that are available.
        :param settings: text by full name.
        :param url: the database, which may be another than the one under this URL before.
        """
        ini = {
            DATABASE_URL.name: url,
            PLUGINS.name: " ".join(names),
            SECRETS.name: _SECRET,
            **settings,
        }
        key = (*available.values(), frozenset(ini.items()))
        shared = self._idle.pop(key, None)
        if shared is None:
            shared = SharedApp(self._open(available, ini), self._received)
        # What it remembers is of the database that it had before.
        with shared.instance.database.transaction() as session:
            touch(session.connection())
        self._in_use.append(shared)
        try:
            yield shared.instance
        finally:
            self._in_use.remove(shared)
            shared.instance.close()
            shutil.rmtree(shared.instance.data, ignore_errors=True)
            self._idle[key] = shared
            if len(self._idle) > _MAX_IDLE:
                self._idle.popitem(last=False)

    def shared_app(self, instance: Instance) -> SharedApp:
        """What is made of an instance; each time anew where it wasn't shared here."""
        known = (shared for shared in self._in_use if shared.instance is instance)
        return next(known, None) or SharedApp(instance, self._received)

    def _open(self, available: Mapping[str, Plugin], ini: Mapping[str, str]) -> Instance:
        self._opened += 1
        data = str(self._folder / f"data{self._opened}")
        instance = open_instance({DATA.name: data, **ini}, {}, available)
        disable_fsync(instance.database)
        return instance
