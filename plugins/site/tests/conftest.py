"""An instance with site and a plugin that declares two pages, and an editor of the navigation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import NavigationEntry, Plugin, hookimpl
from masthead.testing import Client
from masthead_site.plugin import plugin as site

NAVIGATION = "/api/staff/navigation"


class Garden:
    """A third party's plugin."""

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        return [
            NavigationEntry("plants", "Plants", "/plants", order=30),
            NavigationEntry("tours", "Tours", "/visit/tours", order=30),
        ]


GARDEN = Plugin(name="garden", hooks=(Garden(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [site, GARDEN]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_page(staff: Client) -> Callable[..., Any]:
    """Return a function that creates pages, published by default."""

    def make(title: str = "Imprint", **values: Any) -> Any:
        body = {"title": title, "published": True} | values
        return staff.post_json("/api/staff/pages", body).json

    return make


class Editor:
    """A member of staff who edits the navigation, and reads it as visitors do."""

    def __init__(self, app: Client, staff: Client) -> None:
        self._app, self._staff = app, staff

    def add(self, label: str | None = None, **body: Any) -> Any:
        sent = body if label is None else {"label": label, **body}
        return self._staff.post_json(NAVIGATION, sent).json

    def folder(self, label: str = "More", parent: Any = None, **body: Any) -> str:
        return str(self.add(label, isFolder=True, parentId=parent, **body)["id"])

    def change(self, entry: str, **body: Any) -> Any:
        return self._staff.put_json(f"{NAVIGATION}/{entry}", body).json

    def delete(self, entry: str) -> Any:
        return self._staff.delete(f"{NAVIGATION}/{entry}").json

    def refuse(self, method: str, entry: str = "", *, status: int = 400, **body: Any) -> str:
        path = f"{NAVIGATION}/{entry}" if entry else NAVIGATION
        if method == "delete":
            return str(self._staff.delete(path, status=status).json["error"])
        return str(getattr(self._staff, f"{method}_json")(path, body, status=status).json["error"])

    def all(self, **query: Any) -> list[Any]:
        return list(self._staff.get(NAVIGATION, query).json)

    def shown(self) -> list[Any]:
        return list(self._app.get("/api/navigation").json)

    def outline(self) -> list[Any]:
        return outline(self.shown())


def outline(items: list[Any]) -> list[Any]:
    """Return the ids of items; a folder is a pair of its id and the outline of its entries."""
    return [
        (item["id"], outline(item["children"])) if "children" in item else item["id"]
        for item in items
    ]


@pytest.fixture
def editor(app: Client, staff: Client) -> Editor:
    return Editor(app, staff)
