"""Site beside core and a plugin that brings two pages, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import NavigationEntry, Plugin, hookimpl
from masthead.testing.client import Client
from masthead_site.plugin import plugin as site


class Garden:
    """A third party's plugin."""

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        return [
            NavigationEntry("plants", "Plants", "/plants", order=30),
            NavigationEntry("tours", "Tours", "/visit/tours", order=30),
        ]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [site, Plugin(name="garden", hooks=(Garden(),))]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def make_page(staff: Client) -> Callable[..., Any]:
    """Makes pages, published ones unless said otherwise."""

    def make(title: str = "Imprint", **values: Any) -> Any:
        body = {"title": title, "published": True} | values
        return staff.post_json("/api/staff/pages", body).json

    return make
