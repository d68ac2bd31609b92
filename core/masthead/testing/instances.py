"""Instances that tests reuse one after the other, because opening an instance is slow."""

from __future__ import annotations

import shutil
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from wsgiref.types import WSGIApplication

from masthead.auth.tokens import SECRETS
from masthead.db.changed_tables import touch
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
    """An open instance with its application, which is created once."""

    def __init__(self, instance: Instance, received: Received) -> None:
        self.instance = instance
        self._received = received

    @cached_property
    def app(self) -> WSGIApplication:
        """The WSGI application of the instance."""
        return app_of(self.instance)

    @cached_property
    def checker(self) -> AnswerChecker:
        """The checker of the application's responses."""
        base_url = self.instance.settings[BASE_URL]
        return AnswerChecker(self.instance.endpoints, self._received, base_url)


class Instances:
    """Opens and reuses the instances of one test process.

    :param folder: the folder for their files.
    :param received: records the responses of their applications.
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
        """Yield an instance with an empty data folder and the database at ``url``.

        :param available: plugins by name.
        :param names: the enabled plugins; empty means all available ones.
        :param settings: text by full name.
        :param url: the URL of the database, whose content may have been replaced.
        """
        ini = {
            DATABASE_URL.name: url,
            PLUGINS.name: " ".join(names),
            SECRETS.name: _SECRET,
            **settings,
        }
        # Others aren't imported, as one of them may be broken.
        enabled = [available[name] for name in names or available]
        key = (*enabled, frozenset(ini.items()))
        shared = self._idle.pop(key, None)
        if shared is None:
            shared = SharedApp(self._open(available, ini), self._received)
        # The instance has cached values of its former database.
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
        """Return the shared application of an instance; a new one if the instance isn't shared."""
        known = (shared for shared in self._in_use if shared.instance is instance)
        return next(known, None) or SharedApp(instance, self._received)

    def _open(self, available: Mapping[str, Plugin], ini: Mapping[str, str]) -> Instance:
        self._opened += 1
        data = str(self._folder / f"data{self._opened}")
        instance = open_instance({DATA.name: data, **ini}, {}, available)
        disable_fsync(instance.database)
        return instance
