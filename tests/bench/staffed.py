"""An app in this process with an own folder and an administrator."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import webtest

from masthead.auth.setup import make_secrets, sync_grants
from masthead.db import migrate
from masthead.instance import Instance, open_instance
from masthead.testing.accounts import Accounts
from masthead.web.app import app_of
from tests.bench import servers


@dataclass
class Staffed:
    """An instance and two clients of its app."""

    instance: Instance
    visitor: Any
    admin: Any

    def publish(self, path: str, approved_as: str, **values: Any) -> int:
        """Create and approve an item, and return its id."""
        made: int = self.admin.post_json(path, values).json["id"]
        item = {"contentType": approved_as, "contentId": made}
        for move in ("request", "approve"):
            self.admin.post_json(f"/api/staff/approval/{move}", item)
        return made


@contextmanager
def staffed(plugins: str = "", settings: Mapping[str, str] | None = None) -> Iterator[Staffed]:
    """Open an instance on SQLite.

    :param plugins: the names of the plugins to enable, separated by blanks; blank enables all.
    :param settings: further settings by name.
    """
    with servers.folder() as data:
        instance = _prepared(data, {"masthead.plugins": plugins, **(settings or {})})
        visitor = webtest.TestApp(app_of(instance), extra_environ={"REMOTE_ADDR": "127.0.0.1"})
        accounts = Accounts(instance)
        admin = copy.copy(visitor)
        admin.extra_environ = dict(visitor.extra_environ)
        admin.authorization = ("Bearer", accounts.token(accounts.holder("admin")))
        try:
            yield Staffed(instance, visitor, admin)
        finally:
            instance.close()


def _prepared(data: Path, settings: Mapping[str, str]) -> Instance:
    instance = open_instance({"masthead.data": str(data), **settings}, {})
    migrate.upgrade(instance.database, instance.plugins)
    make_secrets(instance)
    with instance.database.transaction() as session:
        sync_grants(session, instance)
    return instance
