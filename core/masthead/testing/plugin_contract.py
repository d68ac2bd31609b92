"""The tests that every plugin has to pass, with content or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest

from masthead.auth.models import Role
from masthead.demo.filling import fill
from masthead.http.permissions import ADMIN
from masthead.instance import Check, Instance
from masthead.testing.addresses import paths_of, read_addresses
from masthead.testing.client import Client
from masthead.testing.owned import Owned
from masthead.testing.rows import rows_of
from masthead.testing.writes import write_requests

_FIRST = {"id": 1}
"""The first item of the demo, of any kind."""


class PluginContract:
    """The tests of a plugin; inherit from it and set ``plugin``.

    For example::

        class TestGarden(PluginContract):
            plugin = "garden"

    The fixture ``plugins`` must enable the plugin. The contracts of content types and resources
    include these tests.
    """

    plugin: ClassVar[str] = ""
    """The name of the plugin; that of a content type or resource follows from its declaration."""

    @pytest.fixture
    def owned(self, instance: Instance) -> Owned:
        """The declarations of the plugin."""
        return Owned(instance, self.plugin)

    def test_its_tables_begin_with_its_name(self, owned: Owned) -> None:
        metadata = owned.plugin.metadata
        tables = metadata.tables if metadata is not None else ()

        assert [name for name in tables if not name.startswith(f"{owned.name}_")] == []

    def test_its_permissions_belong_to_it(self, owned: Owned) -> None:
        foreign = {kind.name: kind.area for kind in owned.kinds if kind.area not in owned.areas}

        assert foreign == {}, (
            "the area is neither the plugin's name, nor the name of one of its content types or"
            " resources or the end of one, nor that of a permission that it declares"
        )

    def test_its_staff_endpoints_are_closed(self, owned: Owned) -> None:
        staff = (each for each in owned.endpoints if each.path.startswith("/api/staff/"))

        assert [each.name for each in staff if not each.is_closed] == []

    def test_its_endpoints_refuse_callers_without_an_account_or_permission(
        self, app: Client, owned: Owned, make_role: Callable[..., Role]
    ) -> None:
        closed = [each for each in owned.endpoints if each.is_closed and each.token is None]
        needed = {permission for each in closed for permission in each.permissions}
        for permission in needed:
            make_role(
                f"all but {permission}", *(owned.instance.permissions.keys() - {ADMIN, permission})
            )

        for endpoint in closed:
            path = next(paths_of(endpoint, ()))
            app.request(path, method=endpoint.method, status=401)
            for permission in endpoint.permissions:
                client = app.as_role(f"all but {permission}")
                client.request(path, method=endpoint.method, status=403)

    def test_its_endpoints_take_any_body_and_change_nothing_that_they_refuse(
        self, app: Client, instance: Instance, owned: Owned
    ) -> None:
        fill(instance, only=owned.with_required)
        admin, before = app.as_role("admin"), rows_of(instance, owned.kept_tables)

        for write in write_requests(owned.endpoints, [_FIRST]):
            # The client compares the answer with its declaration, which has no error of the server.
            status = write.send(admin).status_int
            after = rows_of(instance, owned.kept_tables)
            assert status < 400 or after == before, f"{write} was refused and changed a table"
            before = after

    def test_its_demo_is_created_and_its_endpoints_answer_as_declared(
        self, app: Client, instance: Instance, owned: Owned
    ) -> None:
        fill(instance, only=owned.with_required)

        # The client compares each answer with its declaration.
        for address in read_addresses(owned.endpoints):
            app.as_role("admin").get(address, status="*")

    def test_its_jobs_and_checks_run(self, owned: Owned, work: Callable[..., None]) -> None:
        jobs = [job.name for job in owned.declared("masthead_jobs", instance=owned.instance)]
        if jobs:
            work(*jobs)

        with owned.instance.database.read() as connection:
            for each in owned.declared("masthead_checks"):
                if isinstance(each, Check):
                    assert isinstance(each.trouble(owned.instance), str | None)
                else:
                    for labels, value in each.read(owned.instance, connection):
                        assert (len(labels), float(value)) == (len(each.labels), value)
