"""The contract of plugins allows a refusal to change counters, and nothing that is exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from masthead import (
    ID,
    NOT_EXPORTED,
    PUBLIC,
    SUCCESS,
    Endpoint,
    Instance,
    Plugin,
    Refused,
    Request,
    hookimpl,
    import_default,
    plugin_metadata,
)
from masthead.core_plugin import plugin as core
from masthead.testing import Client, PluginContract
from masthead.testing.owned import Owned


def knocking(name: str, view: Callable[[Request], Any]) -> Endpoint:
    """Return the endpoint of a plugin, which refuses each request."""
    return Endpoint(
        name=f"{name}.knock",
        method="POST",
        path=f"/api/{name}",
        view=view,
        permission=PUBLIC,
        summary="Knock",
        returns=SUCCESS,
        refuses=frozenset({400}),
    )


def counting(name: str, of_table: Mapping[str, Any], of_column: Mapping[str, Any]) -> Plugin:
    """Return a plugin with an endpoint that refuses each request and counts it.

    :param of_table: the ``info`` of the table with the count.
    :param of_column: that of its column.
    """

    class Base(DeclarativeBase):
        metadata = plugin_metadata(name)

    class Door(Base):
        __tablename__ = f"{name}_door"
        __table_args__ = {"info": dict(of_table)}

        id: Mapped[int] = mapped_column(ID, primary_key=True)
        knocks: Mapped[int] = mapped_column(info=dict(of_column))

    def knock(request: Request) -> Any:
        door = request.db.get(Door, 1)
        if door is not None:
            door.knocks += 1
        refusal = Refused("The door is closed")
        refusal.is_recorded = True
        raise refusal

    class Hooks:
        @hookimpl
        def masthead_routes(self) -> list[Endpoint]:
            return [knocking(name, knock)]

        @hookimpl
        def masthead_demo(self, session: Session) -> None:
            session.add(Door(id=1, knocks=0))

    return Plugin(name, hooks=(Hooks(),), base=Base)


ALLOWED = [counting("gates", NOT_EXPORTED, {}), counting("doors", {}, import_default(0))]
EXPORTED = counting("hatches", {}, {})


@pytest.fixture
def plugins() -> Sequence[Plugin]:
    return [core, *ALLOWED, EXPORTED]


@pytest.mark.parametrize("name", [plugin.name for plugin in ALLOWED])
class TestAllowed(PluginContract):
    @pytest.fixture
    def owned(self, instance: Instance, name: str) -> Owned:
        return Owned(instance, name)


class TestExported(PluginContract):
    plugin = EXPORTED.name

    def test_its_endpoints_take_any_body_and_change_nothing_that_they_refuse(
        self, app: Client, instance: Instance, owned: Owned
    ) -> None:
        test = super().test_its_endpoints_take_any_body_and_change_nothing_that_they_refuse

        with pytest.raises(AssertionError, match="was refused and changed a table"):
            test(app, instance, owned)
