"""The tests that every resource has to pass; plugins inherit them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from csv import reader, writer
from io import BytesIO, StringIO
from typing import Any

import pytest
from sqlalchemy import Table

from masthead.auth.models import Role, User
from masthead.instance import Instance
from masthead.references.fields import references_of
from masthead.resources.csv_import import CsvImport
from masthead.resources.declaration import Resource
from masthead.resources.general_filters import general_filters
from masthead.resources.kept import PUBLISHED
from masthead.resources.options import CREATE, DELETE, LIST, SHOW, UPDATE
from masthead.resources.person_data import forget_person, person_data
from masthead.schemas.field_types import MAX_ID, Timestamp
from masthead.schemas.fields import Field
from masthead.schemas.schema import Nullable
from masthead.schemas.slugs import SLUG_FIELD
from masthead.testing.client import Client
from masthead.testing.owned import Owned
from masthead.testing.plugin_contract import PluginContract
from masthead.testing.samples import sample_of
from masthead.testing.targets import TargetContract
from masthead.testing.transfer_contract import TransferContract


class ResourceContract(PluginContract, TransferContract, TargetContract):
    """The tests of a resource; inherit from it and set ``resource``.

    For example::

        class TestPeople(ResourceContract):
            resource = PEOPLE

    The fixture ``plugins`` must enable the plugin that declares the resource. Tests of operations
    and options that the resource doesn't have are skipped. A resource that staff don't create
    overrides ``create``.
    """

    resource: Resource
    values: Mapping[str, Any] = {}
    """The values of fields by wire name, instead of samples by field type."""
    other_values: Mapping[str, Any] = {}
    """The values of another item, each different from the one in ``values``."""
    csv: CsvImport | None = None
    """The import of its items from CSV files."""
    csv_file: str = ""
    """A CSV file with one item."""

    @pytest.fixture
    def owned(self, instance: Instance) -> Owned:
        """The declarations of the plugin that declares the resource."""
        return Owned.of_kind(instance, "masthead_resources", self.resource.name)

    @pytest.fixture
    def staff(self, app: Client, make_role: Callable[..., Role]) -> Client:
        """A client with the permissions to read and write the items, and no other."""
        own = self.resource
        make_role("clerk", *{own.read_permission, f"{own.area}.read", own.write_permission})
        return app.as_role("clerk")

    def first(self) -> dict[str, Any]:
        """Return the values of an item."""
        return self._sample(self.values, 0)

    def second(self) -> dict[str, Any]:
        """Return other values for the same fields."""
        return self._sample(self.other_values, 1)

    def create(self, client: Client, values: Mapping[str, Any]) -> Any:
        """Create an item, and return it as staff see it."""
        if CREATE not in self.resource.operations:
            pytest.skip("staff don't create items; override `create`")
        created = client.post_json(self._path(), values).json
        return client.get(self._path(created["id"])).json if self._has(SHOW) else created

    # Fields

    def test_an_item_is_created_shown_changed_and_deleted(self, staff: Client) -> None:
        item = self.create(staff, self.first())
        assert item == item | self.first()
        if self._has(LIST):
            assert [each["id"] for each in staff.get(self._path()).json] == [item["id"]]
        if self._has(UPDATE):
            fields = [field.name for field in self.resource.editable_fields]
            change = {name: value for name, value in self.second().items() if name in fields}
            edited = staff.put_json(self._path(item["id"]), change).json
            assert edited == edited | change
        if self._has(DELETE):
            staff.delete(self._path(item["id"]))
            staff.delete(self._path(item["id"]), status=404)

    def test_required_fields_are_required(self, staff: Client) -> None:
        self.create(staff, self.first())

        for name in (field.name for field in self.resource.fields if field.required):
            body = {**self.second(), name: None}
            if self._has(CREATE):
                assert name in staff.post_json(self._path(), body, status=400).json["error"]

    def test_a_stale_change_is_refused(self, staff: Client) -> None:
        path = self._path(self.create(staff, self.first())["id"])

        for method, operation in (("PUT", UPDATE), ("DELETE", DELETE)):
            if self._has(operation):
                staff.request(
                    path, method=method, body=b"{}", headers={"If-Match": '"0"'}, status=412
                )

    # Permissions

    def test_strangers_and_readers_change_nothing(
        self,
        app: Client,
        staff: Client,
        make_role: Callable[..., Role],
        make_user: Callable[..., User],
    ) -> None:
        item = self.create(staff, self.first())
        make_role("reader", self.resource.read_permission)

        for client, status in ((app, 401), (app.as_user(make_user(role=None)), 403)):
            for method, path in self._requests(item["id"], LIST, SHOW):
                client.request(path, method=method, status=status)
        for client, status in ((app, 401), (app.as_role("reader"), 403)):
            for method, path in self._requests(item["id"], CREATE, UPDATE, DELETE):
                client.request(path, method=method, status=status)
        for method, path in self._requests(item["id"], LIST, SHOW):
            app.as_role("reader").request(path, method=method)

    # Lists

    def test_lists_are_filtered_sorted_and_searched(self, staff: Client) -> None:
        if not self._has(LIST):
            pytest.skip("staff don't list items")
        one, other = self.create(staff, self.first()), self.create(staff, self.second())

        for name in self.resource.filters:
            if one[name] != other[name]:
                assert self._ids(staff, **{name: _query(one[name])}) == [one["id"]], name
        for name in general_filters(self.resource).keys() & one.keys() & {PUBLISHED}:
            for wanted in (True, False):
                found = {it["id"] for it in (one, other) if it[name] is wanted}
                assert {*self._ids(staff, **{name: _query(wanted)})} == found, name
        for name in self.resource.sort_names:
            up, down = self._ids(staff, sort=name), self._ids(staff, sort=f"-{name}")
            assert (sorted(up), up) == (sorted([one["id"], other["id"]]), down[::-1]), name
        for name in self.resource.search_fields:
            if isinstance(one[name], str) and one[name] != other[name]:
                assert one["id"] in self._ids(staff, search=_first_word(one[name])), name

    # Public endpoints

    def test_the_public_sees_published_items_and_public_fields_only(
        self, app: Client, staff: Client
    ) -> None:
        if self.resource.public is None:
            pytest.skip("the public sees no items")
        has_switch = PUBLISHED in {field.name for field in self.resource.fields}
        values = {**self.first(), **({PUBLISHED: False} if has_switch else {})}
        item = self.create(staff, values)
        if has_switch:
            assert list(self._public(app, item)) == []
            item = staff.put_json(self._path(item["id"]), {PUBLISHED: True}).json

        shown = list(self._public(app, item))
        assert shown
        own = self.resource
        known = {*(f.name for f in own.fields), *own.shows, *own.computed_fields}
        for answer in shown:
            assert answer["id"] == item["id"]
            assert answer.keys() & known <= self.resource.public_names

    # Revisions, the trash, persons

    def test_a_change_is_kept_and_can_be_restored(self, staff: Client) -> None:
        if not self.resource.keeps_revisions:
            pytest.skip("changes of items are not kept")
        item = self.create(staff, self.first())
        path = self._path(item["id"])
        change = {n: v for n, v in self.second().items() if n in self.resource.restored_fields}
        staff.put_json(path, {n: v for n, v in change.items() if n != SLUG_FIELD})

        *_, oldest = staff.get(f"{path}/revisions").json
        staff.post_json(f"{path}/revisions/{oldest['number']}/restore", {})

        after = staff.get(path).json
        kept = self.resource.restored_fields - {SLUG_FIELD}
        assert {n: after[n] for n in kept} == {n: item[n] for n in kept}

    def test_a_deleted_item_comes_back_from_the_trash(self, app: Client, staff: Client) -> None:
        if not self.resource.trash:
            pytest.skip("deleted items are gone")
        item = self.create(staff, self.first())
        staff.delete(self._path(item["id"]))

        [trashed] = app.as_role("admin").get("/api/staff/trash").json
        app.as_role("admin").post(f"/api/staff/trash/{trashed['id']}/restore")

        after = staff.get(self._path(item["id"])).json
        assert after == item | {n: after[n] for n in ("updatedAt", PUBLISHED) if n in after}
        assert after.get(PUBLISHED) in (None, False)

    def test_a_person_gets_and_loses_all_data(self, instance: Instance, staff: Client) -> None:
        if not self.resource.person:
            pytest.skip("items are about no person")
        item = self.create(staff, self.first())
        address = item[self.resource.person]

        with instance.database.transaction() as session:
            assert person_data(session, [address], None).data
            forget_person(session, address)
            assert person_data(session, [address], None).data == {}

    # Imports and exports

    def test_a_csv_file_is_imported_once(self, instance: Instance) -> None:
        if self.csv is None:
            pytest.skip("`csv` names no import")
        reports = [self.csv.run(instance, BytesIO(self.csv_file.encode())) for _ in range(2)]

        assert [each.error_count for each in reports] == [0, 0]
        assert [each.imported for each in reports] == [1, 0]

    def test_a_csv_file_with_unknown_ids_has_errors(self, instance: Instance) -> None:
        columns = {column.name for column in self.csv.columns} if self.csv else set()
        names = [it.name for it in references_of(self.resource.fields) if it.name in columns]
        if self.csv is None or not names:
            pytest.skip("`csv` reads no references")
        header, row = list(reader(StringIO(self.csv_file)))[:2]
        for name in names:
            cells = {**dict(zip(header, row, strict=False)), name: str(MAX_ID)}
            file = StringIO()
            writer(file).writerows([cells.keys(), cells.values()])
            report = self.csv.run(instance, BytesIO(file.getvalue().encode()))
            assert [report.imported, report.error_count] == [0, 1]
            assert report.errors[0].error.startswith(name)
            assert str(MAX_ID) in report.errors[0].error

    def kept_tables(self) -> list[Table]:
        """Return the table of the items."""
        return [self.resource.model.__table__]

    def fill_tables(self, app: Client) -> None:
        """Create two items."""
        for values in (self.first(), self.second()):
            self.create(app.as_role("admin"), values)

    def _has(self, operation: str) -> bool:
        return operation in self.resource.operations

    def _path(self, item_id: Any = None) -> str:
        path = f"/api/staff/{self.resource.path}"
        return path if item_id is None else f"{path}/{item_id}"

    def _requests(self, item_id: Any, *operations: str) -> Iterator[tuple[str, str]]:
        one, everything = self._path(item_id), self._path()
        requests = {
            LIST: ("GET", everything),
            SHOW: ("GET", one),
            CREATE: ("POST", everything),
            UPDATE: ("PUT", one),
            DELETE: ("DELETE", one),
        }
        return (requests[each] for each in operations if self._has(each))

    def _ids(self, client: Client, **query: Any) -> list[Any]:
        return [each["id"] for each in client.get(self._path(), query).json]

    def _public(self, app: Client, item: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the public answers that show an item."""
        assert self.resource.public is not None
        path, routes = f"/api/{self.resource.path}", self.resource.public
        if LIST in routes.operations:
            yield from app.get(path).json
        if SHOW in routes.operations:
            answer = app.get(f"{path}/{item[routes.by]}", status="*")
            if answer.status_int != 404:
                yield answer.json

    def _sample(self, given: Mapping[str, Any], which: int) -> dict[str, Any]:
        given = {**self.targets_of(self.resource, which), **given}
        return {
            field.name: given[field.name] if field.name in given else sample_of(field.kind, which)
            for field in self.resource.fields
            if field.name in given or not _is_chosen(field)
        }


def _is_chosen(field: Field) -> bool:
    """Whether the plugin may have rules for the values of a field: a slug, or a time."""
    kind = field.kind.inner if isinstance(field.kind, Nullable) else field.kind
    return field.name == SLUG_FIELD or isinstance(kind, Timestamp)


def _query(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first_word(text: str) -> str:
    """Return the first word of a text, which may be HTML."""
    [word, *_] = re.findall(r"\w+", re.sub("<[^>]*>", "", text))
    return str(word)
