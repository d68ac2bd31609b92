"""The tests that every content type has to pass; plugins inherit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Table

from masthead.auth.models import Role, User
from masthead.content.contenttype import ContentType
from masthead.instance import Instance
from masthead.schemas.fields import Field
from masthead.schemas.schema import Nullable
from masthead.schemas.slugs import SLUG_FIELD
from masthead.testing.address_contract import AddressContract
from masthead.testing.approver_contract import ApproverContract
from masthead.testing.client import Client
from masthead.testing.desk import Desk
from masthead.testing.endpoint_contract import EndpointContract
from masthead.testing.filter_contract import FilterContract
from masthead.testing.migration_contract import MigrationContract
from masthead.testing.owned import Owned
from masthead.testing.plugin_contract import PluginContract
from masthead.testing.preview_contract import PreviewContract
from masthead.testing.samples import sample_of
from masthead.testing.targets import TargetContract
from masthead.testing.time_contract import TimeContract
from masthead.testing.transfer_contract import TransferContract

_SCHEDULE, _UNPUBLISH = "scheduledPublishAt", "scheduledUnpublishAt"
_TIMES = (_SCHEDULE, _UNPUBLISH)
_UNTIL = "2100-01-01T00:00:00.000Z", "2101-01-01T00:00:00.000Z"


class ContentTypeContract(
    PluginContract,
    MigrationContract,
    EndpointContract,
    TransferContract,
    AddressContract,
    ApproverContract,
    PreviewContract,
    TimeContract,
    TargetContract,
    FilterContract,
):
    """The tests of a content type; inherit from it and set ``content_type``.

    For example::

        class TestPodcasts(ContentTypeContract):
            content_type = PODCASTS

    The fixture ``plugins`` must enable the plugin that declares the type. Override ``values`` and
    ``other_values`` if the values of fields depend on each other, and name the fields that are
    declared with ``public=False`` in ``staff_only``, those with ``staged=False`` in ``unstaged``.
    """

    content_type: ContentType
    values: Mapping[str, Any] = {}
    """The values of fields by wire name, instead of samples by field type."""
    other_values: Mapping[str, Any] = {}
    """The values after an edit, each different from the one in ``values``."""

    @pytest.fixture
    def owned(self, instance: Instance) -> Owned:
        """The declarations of the plugin that declares the type."""
        return Owned.of_kind(instance, "masthead_content_types", self.content_type.name)

    @pytest.fixture
    def desk(self, app: Client) -> Desk:
        """The content type, used by an editor."""
        return Desk(app, self.content_type.name).as_role("editor")

    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the times."""
        return self._sample(names, self.values, 0)

    def second(self, *names: str) -> dict[str, Any]:
        """Return other values for the same fields."""
        return self._sample(names, self.other_values, 1)

    # Drafts, approval, rejection

    def test_a_create_needs_the_required_fields_only(self, desk: Desk) -> None:
        needed = self._names(lambda field: field.required)

        item = desk.create(**self.first(*needed))

        assert item["approvalStatus"] == "draft"
        assert item["published"] is False
        for name in needed:
            body = {**self.first(), name: None}
            assert name in desk.create(**body, status=400)["error"]

    def test_a_draft_is_invisible_in_public(self, desk: Desk) -> None:
        item = desk.create(**self.first(), published=True)

        assert desk.show(item["id"]) == item
        assert desk.list()[0]["id"] == item["id"]
        self._assert_invisible(desk, item)

    def test_an_approved_item_is_public(self, desk: Desk) -> None:
        item = desk.create(**self.first())
        desk.request(item["id"])
        self._assert_invisible(desk, item)

        desk.as_role("admin").approve(item["id"])

        shown = desk.show(item["id"])
        detail = desk.public_item(shown["slug"])
        assert shown["approvalStatus"] == "approved"
        assert shown["published"] is True
        assert [each["id"] for each in desk.public_list()] == [item["id"]]
        public = self.first(*self._names(lambda field: field.public))
        assert detail == detail | self.seen_in_public(self.content_type, public)
        assert not {"approvalStatus", "published", "createdBy", "staged"} & detail.keys()

    def test_a_deleted_item_comes_back_from_the_trash_unpublished(self, desk: Desk) -> None:
        item = desk.create_public(**self.first(), tagIds=[self._tag(desk, "Air")["id"]])
        desk.delete(item["id"])
        self._assert_invisible(desk, item)
        desk.show(item["id"], status=404)

        [trashed] = desk.client.get("/api/staff/trash").json
        restored = desk.client.post(f"/api/staff/trash/{trashed['id']}/restore").json

        assert (restored["contentId"], restored["unfit"]) == (item["id"], [])
        self._assert_invisible(desk, item)
        after = desk.show(item["id"])
        assert after["approvalStatus"] == "approved"
        names = ("slug", "tags", "createdAt", *self._names(lambda _: True))
        assert {name: after[name] for name in names} == {name: item[name] for name in names}
        desk.edit(item["id"], published=True)
        assert desk.public_item(item["slug"])["id"] == item["id"]

    def test_a_rejected_item_stays_invisible(self, desk: Desk) -> None:
        item = desk.create(**self.first())
        desk.request(item["id"])

        desk.as_role("admin").reject(item["id"], reason="Too short")

        shown = desk.show(item["id"])
        assert (shown["approvalStatus"], shown["rejectionReason"]) == ("rejected", "Too short")
        self._assert_invisible(desk, item)

    # Edits after approval

    def test_an_edit_of_published_content_is_staged_until_it_is_approved(self, desk: Desk) -> None:
        item = desk.create_public(**self.first())
        before = desk.public_item(item["slug"]), desk.public_list()
        edits = self.second(*self._names(lambda field: field.staged and field.name not in _TIMES))

        staged = desk.edit(item["id"], **edits)

        assert staged == staged | edits | {
            "approvalStatus": "draft",
            "published": True,
            "staged": True,
        }
        assert (desk.public_item(item["slug"]), desk.public_list()) == before
        desk.publish(item["id"])
        public = self._names(lambda field: field.public and field.name in edits)
        detail = desk.public_item(item["slug"])
        edited = {name: edits[name] for name in public}
        assert detail == detail | self.seen_in_public(self.content_type, edited)

    def test_a_stale_change_is_refused(self, desk: Desk) -> None:
        path = f"/api/staff/{self.content_type.name}/{desk.create_public(**self.first())['id']}"
        desk.client.put_json(path, {"title": "Something else"})
        for method, address in (("PUT", path), ("DELETE", path), ("DELETE", f"{path}/staged")):
            send = partial(desk.client.request, address, method=method)
            send(body=b"{}", headers={"If-Match": '"0"'}, status=412)
            send(body=b'{"etag": "0"}', status=400)

    def test_a_staged_edit_can_be_rejected_and_dropped(self, desk: Desk) -> None:
        item = desk.create_public(**self.first())
        live = desk.public_item(item["slug"])
        desk.edit(item["id"], title="Something else")
        desk.request(item["id"])

        desk.as_role("admin").reject(item["id"])
        rejected = desk.show(item["id"])
        desk.drop_staged(item["id"])

        dropped = desk.show(item["id"])
        assert (rejected["title"], rejected["approvalStatus"]) == ("Something else", "rejected")
        assert (dropped["title"], dropped["approvalStatus"]) == (item["title"], "approved")
        assert desk.public_item(item["slug"]) == live
        desk.drop_staged(item["id"], status=404)

    def test_a_tag_that_goes_leaves_the_staged_edits_as_another_revision(self, desk: Desk) -> None:
        kept, gone = (self._tag(desk, name) for name in ("Water", "Air"))
        item_id = desk.create_public(**self.first(), tagIds=[kept["id"]])["id"]
        desk.edit(item_id, tagIds=[kept["id"], gone["id"]])
        desk.request(item_id)
        admin, read = desk.as_role("admin"), desk.etag(item_id)

        admin.client.delete(f"/api/staff/tags/{gone['id']}")

        assert "tagIds" in desk.edit(item_id, tagIds=[gone["id"]], status=400)["error"]
        admin.approve(item_id, etag=read, status=400)
        same = desk.edit(item_id, tagIds=[kept["id"]])
        assert (same["approvalStatus"], same["tags"]) == ("pending", [kept])
        admin.approve(item_id, etag=desk.etag(item_id))
        assert desk.show(item_id)["tags"] == [kept]

    # Fields

    def test_each_field_comes_back_as_it_was_sent(self, desk: Desk) -> None:
        names = self._names(lambda _: True)
        item = desk.create(**self.first(*names))

        assert item == item | self.first(*names)
        edited = desk.edit(item["id"], **self.second(*names))
        assert edited == edited | self.second(*names)
        assert desk.show(item["id"]) == edited

    def test_null_clears_an_optional_field_and_no_required_one(self, desk: Desk) -> None:
        cleared: dict[str, Any] = {
            field.name: field.default()
            for field in self.content_type.fields
            if isinstance(field.kind, Nullable) and field.name != SLUG_FIELD
        }
        item = desk.create(**self.first())

        for name in self._names(lambda field: field.required):
            assert name in desk.edit(item["id"], **{name: None}, status=400)["error"]
        assert desk.show(item["id"]) == item
        for name, empty in cleared.items():
            change: dict[str, Any] = {name: None}
            assert desk.edit(item["id"], **change)[name] == empty

    def test_an_edit_leaves_alone_what_it_does_not_name(self, desk: Desk) -> None:
        item = desk.create(**self.first())

        edited = desk.edit(item["id"], title="Something else")

        changed = {name for name in item if edited[name] != item[name]}
        assert changed <= {"title", "slug", "updatedAt"}

    # Tags, many at once, deleting

    def test_content_is_found_by_its_tags(self, desk: Desk) -> None:
        tags = [self._tag(desk, name) for name in ("Water", "Air")]
        item = desk.create_public(**self.first(), tagIds=[tag["id"] for tag in tags])
        desk.create_public(**self.second())

        assert item["tags"] == tags[::-1]
        assert desk.public_item(item["slug"])["tags"] == tags[::-1]
        assert [each["id"] for each in desk.public_list(tag="water")] == [item["id"]]
        assert desk.public_list(tag="fire") == []

    def test_content_with_a_shared_tag_is_related(self, desk: Desk) -> None:
        tag = self._tag(desk, "Water")
        one = desk.create_public(**self.first(), tagIds=[tag["id"]])
        other = desk.create_public(**self.first(), tagIds=[tag["id"]])
        desk.create(**self.first(), tagIds=[tag["id"]])

        related = desk.related(one["id"])
        assert [each["id"] for each in related] == [other["id"]]
        chosen = {"ids": one["id"], "include": "content,related"}
        assert [item["related"] for item in desk.public_list(**chosen)] == [related]
        assert desk.public_item(one["slug"], include="related")["related"] == related

    def test_many_are_published_taken_down_and_deleted_at_once(self, desk: Desk) -> None:
        ready = [desk.create_public(**self.first())["id"] for _ in range(2)]
        draft = desk.create(**self.first())["id"]
        ids = [*ready, draft]

        assert desk.bulk("unpublish", ids) == {"success": True, "affected": 3, "failed": []}
        assert desk.public_list() == []
        published = desk.bulk("publish", ids)
        assert (published["affected"], [each["id"] for each in published["failed"]]) == (2, [draft])
        assert sorted(each["id"] for each in desk.public_list()) == sorted(ready)
        assert desk.bulk("delete", ids)["affected"] == 3
        assert desk.list() == desk.public_list() == []

    def test_what_is_deleted_is_gone(self, desk: Desk) -> None:
        item = desk.create_public(**self.first())

        assert desk.delete(item["id"]) == {"success": True}

        desk.show(item["id"], status=404)
        desk.delete(item["id"], status=404)
        assert desk.create(**self.first())["id"] > item["id"]
        self._assert_invisible(desk, item)

    # Permissions

    def test_nobody_gets_at_it_without_a_token(self, app: Client, desk: Desk) -> None:
        item = desk.create(**self.first())

        self._assert_closed(Desk(app, self.content_type.name), item["id"], 401)

    def test_nobody_gets_at_it_without_permission(
        self, desk: Desk, make_user: Callable[..., User]
    ) -> None:
        item = desk.create(**self.first())

        self._assert_closed(desk.as_user(make_user(role=None)), item["id"], 403)

    def test_a_reader_reads_and_changes_nothing(
        self, desk: Desk, make_role: Callable[..., Role]
    ) -> None:
        item = desk.create(**self.first())
        make_role("reader", self.content_type.read_permission)
        reader = desk.as_role("reader")

        assert reader.show(item["id"]) == item
        assert [each["id"] for each in reader.list()] == [item["id"]]
        self._assert_unwritable(reader, item["id"], 403)

    def _assert_closed(self, desk: Desk, item_id: int, status: int) -> None:
        desk.show(item_id, status=status)
        desk.list(status=status)
        self._assert_unwritable(desk, item_id, status)

    def _assert_unwritable(self, desk: Desk, item_id: int, status: int) -> None:
        desk.create(**self.first(), status=status)
        desk.edit(item_id, title="Something else", status=status)
        desk.bulk("delete", [item_id], status=status)
        desk.drop_staged(item_id, status=status)
        desk.delete(item_id, status=status)
        for move in (desk.request, desk.approve, desk.reject):
            move(item_id, status=status)

    def kept_tables(self) -> list[Table]:
        """Return the tables of the items and of their tags."""
        return [self.content_type.table, self.content_type.links]

    def fill_tables(self, app: Client) -> None:
        """Create a draft, and a published item with a staged edit."""
        desk = Desk(app, self.content_type.name).as_role("editor")
        desk.create(**self.first())
        item = desk.create_public(**self.first(), tagIds=[self._tag(desk, "Air")["id"]])
        desk.edit(item["id"], title="Something else")

    def _tag(self, desk: Desk, name: str) -> Any:
        return desk.client.as_role("admin").post_json("/api/staff/tags", {"name": name}).json

    def _names(self, wanted: Callable[[Field], bool]) -> list[str]:
        # Slugs are unique, so their tests choose them.
        fields = [field for field in self.content_type.fields if field.name != SLUG_FIELD]
        return [field.name for field in fields if wanted(field)]

    def _sample(
        self, names: tuple[str, ...], given: Mapping[str, Any], which: int
    ) -> dict[str, Any]:
        kinds = {field.name: field.kind for field in self.content_type.fields}
        wanted = names or [name for name in kinds if name not in (*_TIMES, SLUG_FIELD)]
        given = {
            _UNPUBLISH: _UNTIL[which],
            self.content_type.expires: _UNTIL[which],
            **self.targets_of(self.content_type, which),
            **given,
        }
        return {
            name: given[name] if name in given else sample_of(kinds[name], which) for name in wanted
        }
