"""The operations by the words of their ids. Made from the OpenAPI document; don't edit."""

# The answers of an instance are not checked: their types are those of the document.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Unpack

from masthead_client.answers import AsyncResults, Revision
from masthead_client.asynchronous import AsyncBaseClient, AsyncGroup
from masthead_client.live import LiveEvent
from masthead_client.requests import new_key, part
from masthead_client.uploads import File, Progress

if TYPE_CHECKING:
    from . import types


class StaffContactsDuplicates(AsyncGroup):
    """The operations ``staff.contacts.duplicates``."""

    async def dismiss(
        self,
        body: types.DuplicatesDismissal,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Record that contacts are different persons, or withdraw that.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/contacts/duplicates/dismiss",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(
        self,
        **query: Unpack[types.StaffContactsDuplicatesListQuery],
    ) -> AsyncResults[types.DuplicateContacts]:
        """List groups of contacts that may be one person.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list("/api/staff/contacts/duplicates", query=query)


class StaffContactsProgression(AsyncGroup):
    """The operations ``staff.contacts.progression``."""

    async def add(
        self,
        id: int,
        body: types.ProgressionEntryCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.ProgressionEntry:
        """Add a progression entry and set the contact's stage.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/contacts/{part(id)}/progression",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(
        self,
        id: int,
        **query: Unpack[types.StaffContactsProgressionListQuery],
    ) -> AsyncResults[types.ProgressionEntry]:
        """List the progression entries of a contact, newest first.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list(f"/api/staff/contacts/{part(id)}/progression", query=query)


class StaffSystemJobs(AsyncGroup):
    """The operations ``staff.system.jobs``."""

    async def run(self, name: str, *, idempotency_key: str | None = None) -> types.Success:
        """Have a worker run a job within seconds, also one that waits after a failure.

        Needs the permission `admin`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/system/jobs/{part(name)}/run",
            idempotency_key=idempotency_key or new_key(),
        )


class FeedsRss(AsyncGroup):
    """The operations ``feeds.rss``."""

    async def events(self) -> bytes:
        """Show the newest events as RSS.

        Needs no token.
        """
        return await self._client.request_bytes("GET", "/api/feed/events", public=True)

    async def news(self) -> bytes:
        """Show the newest news as RSS.

        Needs no token.
        """
        return await self._client.request_bytes("GET", "/api/feed/news", public=True)


class StaffAbout(AsyncGroup):
    """The operations ``staff.about``."""

    async def compare_revisions(
        self,
        **query: Unpack[types.StaffAboutCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a text about the organisation.

        Texts are compared by words.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", "/api/staff/about/revisions/compare", query=query)

    async def restore_revision(
        self,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a text about the organisation.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/about/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, revision_id: int) -> types.Revision:
        """Show a revision of a text about the organisation.

        The values are those that items can have today.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/about/revisions/{part(revision_id)}")

    def revisions(
        self,
        **query: Unpack[types.StaffAboutRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a text about the organisation.

        The states that it had after saves, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/about/revisions", query=query)

    async def show(self) -> types.AboutTexts:
        """Show mission and history.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", "/api/staff/about")

    async def update(
        self,
        body: types.AboutTextsUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.AboutTexts:
        """Change mission or history.

        Needs the permission `site.write`.
        """
        return await self._client.request("PUT", "/api/staff/about", body=body, if_match=if_match)


class StaffActions(AsyncGroup):
    """The operations ``staff.actions``."""

    async def bulk(
        self,
        body: types.BulkOperation,
        *,
        idempotency_key: str | None = None,
    ) -> types.BulkResult:
        """Publish, unpublish or delete actions.

        An item that can't be changed is in `failed`; the others are changed. Deleted items go
        to the trash.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/actions/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffActionsCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of an action.

        Texts are compared by words.

        Needs the permission `actions.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/actions/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.ActionCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.ActionStaff:
        """Create an action as a draft.

        The answer is the new item. It becomes public by an approval.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/actions",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an action.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/actions/{part(id)}",
            if_match=if_match,
        )

    async def drop_staged(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Drop the staged edits of an action.

        The published item stays as the public sees it.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/actions/{part(id)}/staged",
            if_match=if_match,
        )

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.ActionStaff:
        """Duplicate an action.

        The answer is a draft with the values and the tags of the item as staff see it, also of
        an edit that waits. Its title says that it is a copy; it has a slug of its own and no
        schedule.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/actions/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have an action open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/actions/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed an action.

        The others learn it at once.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/actions/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffActionsListQuery],
    ) -> AsyncResults[types.ActionStaffSummary]:
        """List actions, including drafts.

        All items, a page at a time, without their `content`.

        Needs the permission `actions.read`.
        """
        return self._client.request_list("/api/staff/actions", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have an action open.

        The `ETag` is the item's.

        Needs the permission `actions.read`.
        """
        return await self._client.request("GET", f"/api/staff/actions/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to an action.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/actions/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to an action.

        Those that haven't expired, the newest first.

        Needs the permission `actions.read`.
        """
        return self._client.request_list(f"/api/staff/actions/{part(id)}/previews")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of an action.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/actions/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of an action.

        The values are those that items can have today.

        Needs the permission `actions.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/actions/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffActionsRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of an action.

        The states that it had after saves, the newest first.

        Needs the permission `actions.read`.
        """
        return self._client.request_list(f"/api/staff/actions/{part(id)}/revisions", query=query)

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to an action.

        Its token opens nothing from then on.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/actions/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.ActionStaff:
        """Show an action.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `actions.read`.
        """
        return await self._client.request("GET", f"/api/staff/actions/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ActionUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ActionStaffSaved:
        """Change an action.

        Changes the fields that are sent and keeps the others. An edit of a published item waits
        for approval, and the public sees the former text until then. The answer is the item
        with the edit.

        Needs the permission `actions.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/actions/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffChanges(AsyncGroup):
    """The operations ``staff.changes``."""

    async def list(self, **query: Unpack[types.StaffChangesListQuery]) -> types.StaffChanges:
        """List the changes of all items, also of drafts, since a cursor.

        It lists changes of the kinds that the caller may read.

        Needs a token.
        """
        return await self._client.request("GET", "/api/staff/changes", query=query)


class StaffComposeEmails(AsyncGroup):
    """The operations ``staff.compose_emails``."""

    async def cancel(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Cancel the delivery of a composed e-mail permanently.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/cancel",
            idempotency_key=idempotency_key or new_key(),
        )

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffComposeEmailsCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a composed email.

        Texts are compared by words.

        Needs the permission `email.addresses`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/compose-emails/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.ComposedEmailCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.ComposedEmail:
        """Create a composed email.

        The answer is the new item.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/compose-emails",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a composed email permanently.

        Nothing brings the item back.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/compose-emails/{part(id)}",
            if_match=if_match,
        )

    async def deliveries(self, id: int) -> types.Deliveries:
        """Show the state of a composed e-mail, count its deliveries, and list the failures.

        Needs the permission `email.addresses`.
        """
        return await self._client.request("GET", f"/api/staff/compose-emails/{part(id)}/deliveries")

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a composed email open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/compose-emails/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a composed email.

        The others learn it at once.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/compose-emails/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffComposeEmailsListQuery],
    ) -> AsyncResults[types.ComposedEmail]:
        """List composed emails.

        All items that match the filters, a page at a time.

        Needs the permission `email.addresses`.
        """
        return self._client.request_list("/api/staff/compose-emails", query=query)

    async def pause(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Pause the delivery of a composed e-mail.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/pause",
            idempotency_key=idempotency_key or new_key(),
        )

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a composed email open.

        The `ETag` is the item's.

        Needs the permission `email.addresses`.
        """
        return await self._client.request("GET", f"/api/staff/compose-emails/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.PreviewOptions,
        *,
        idempotency_key: str | None = None,
    ) -> types.Preview:
        """Preview a composed e-mail, with changes that aren't saved.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def recipients(
        self,
        id: int,
        **query: Unpack[types.StaffComposeEmailsRecipientsQuery],
    ) -> AsyncResults[types.Recipient]:
        """List the recipients of a composed e-mail with the state of each delivery.

        Needs the permission `email.addresses`.
        """
        return self._client.request_list(
            f"/api/staff/compose-emails/{part(id)}/recipients",
            query=query,
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a composed email.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def resume(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Resume the delivery of a composed e-mail.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/resume",
            idempotency_key=idempotency_key or new_key(),
        )

    async def retry(
        self,
        id: int,
        body: types.DeliveryRetry,
        *,
        idempotency_key: str | None = None,
    ) -> types.DeliveryRetried:
        """Queue the failed deliveries of a composed e-mail again.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/retry",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a composed email.

        The values are those that items can have today.

        Needs the permission `email.addresses`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/compose-emails/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffComposeEmailsRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a composed email.

        The states that it had after saves, the newest first.

        Needs the permission `email.addresses`.
        """
        return self._client.request_list(
            f"/api/staff/compose-emails/{part(id)}/revisions",
            query=query,
        )

    async def send(self, id: int, *, idempotency_key: str | None = None) -> types.MailSent:
        """Send a composed e-mail now.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/compose-emails/{part(id)}/send",
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, id: int) -> types.ComposedEmail:
        """Show a composed email.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `email.addresses`.
        """
        return await self._client.request("GET", f"/api/staff/compose-emails/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ComposedEmailUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ComposedEmailSaved:
        """Change a composed email.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/compose-emails/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffContactImportMappings(AsyncGroup):
    """The operations ``staff.contact_import_mappings``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffContactImportMappingsCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of an import mapping.

        Texts are compared by words.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/contact-import-mappings/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.ImportMappingCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.ImportMapping:
        """Create an import mapping.

        The answer is the new item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/contact-import-mappings",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an import mapping permanently.

        Nothing brings the item back.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/contact-import-mappings/{part(id)}",
            if_match=if_match,
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have an import mapping open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/contact-import-mappings/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed an import mapping.

        The others learn it at once.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/contact-import-mappings/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffContactImportMappingsListQuery],
    ) -> AsyncResults[types.ImportMapping]:
        """List import mappings.

        All items that match the filters, a page at a time.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list("/api/staff/contact-import-mappings", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have an import mapping open.

        The `ETag` is the item's.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/contact-import-mappings/{part(id)}/presence",
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of an import mapping.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/contact-import-mappings/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of an import mapping.

        The values are those that items can have today.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/contact-import-mappings/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffContactImportMappingsRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of an import mapping.

        The states that it had after saves, the newest first.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list(
            f"/api/staff/contact-import-mappings/{part(id)}/revisions",
            query=query,
        )

    async def show(self, id: int) -> types.ImportMapping:
        """Show an import mapping.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/contact-import-mappings/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ImportMappingUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ImportMappingSaved:
        """Change an import mapping.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/contact-import-mappings/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffContactMessages(AsyncGroup):
    """The operations ``staff.contact_messages``."""

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a contact message permanently.

        Nothing brings the item back.

        Needs the permission `messages.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/contact-messages/{part(id)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffContactMessagesListQuery],
    ) -> AsyncResults[types.ContactMessage]:
        """List contact messages.

        All items that match the filters, a page at a time.

        Needs the permission `messages.read`.
        """
        return self._client.request_list("/api/staff/contact-messages", query=query)

    async def show(self, id: int) -> types.ContactMessage:
        """Show a contact message.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `messages.read`.
        """
        return await self._client.request("GET", f"/api/staff/contact-messages/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ContactMessageUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ContactMessage:
        """Change a contact message.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `messages.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/contact-messages/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffContacts(AsyncGroup):
    """The operations ``staff.contacts``."""

    @property
    def duplicates(self) -> StaffContactsDuplicates:
        """The operations ``staff.contacts.duplicates``."""
        return StaffContactsDuplicates(self._client)

    @property
    def progression(self) -> StaffContactsProgression:
        """The operations ``staff.contacts.progression``."""
        return StaffContactsProgression(self._client)

    async def create(
        self,
        body: types.ContactCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Contact:
        """Create a contact.

        The answer is the new item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/contacts",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a contact permanently.

        Nothing brings the item back.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/contacts/{part(id)}",
            if_match=if_match,
        )

    async def export(self, id: int) -> types.PersonData:
        """Show the data on the person of a contact, from every plugin.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/contacts/{part(id)}/export")

    async def export_all(self, **query: Unpack[types.StaffContactsExportAllQuery]) -> bytes:
        """Export all contacts as vCards, or as a CSV file that spreadsheets open safely.

        Needs the permission `contacts.read`.
        """
        return await self._client.request_bytes("GET", "/api/staff/contacts/export", query=query)

    async def import_(
        self,
        file: File,
        *,
        progress: Progress | None = None,
        form: types.StaffContactsImportForm | None = None,
        idempotency_key: str | None = None,
        **query: Unpack[types.StaffContactsImportQuery],
    ) -> types.ContactImportReport:
        """Import contacts from a CSV file, a workbook or vCards.

        Needs the permission `contacts.write`.
        """
        return await self._client.request_upload(
            "/api/staff/contacts/bulk-import",
            file,
            progress=progress,
            query=query,
            form=form,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(
        self,
        **query: Unpack[types.StaffContactsListQuery],
    ) -> AsyncResults[types.ContactSummary]:
        """List contacts.

        All items that match the filters, a page at a time.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list("/api/staff/contacts", query=query)

    async def merge(
        self,
        id: int,
        body: types.ContactMerge,
        *,
        idempotency_key: str | None = None,
    ) -> types.Contact:
        """Merge another contact into a contact and delete the other.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/contacts/{part(id)}/merge",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, id: int) -> types.Contact:
        """Show a contact.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/contacts/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ContactUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Contact:
        """Change a contact.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/contacts/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffEmailTemplates(AsyncGroup):
    """The operations ``staff.email_templates``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffEmailTemplatesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of an email template.

        Texts are compared by words.

        Needs the permission `email.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/email-templates/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.EmailTemplateCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.EmailTemplate:
        """Create an email template.

        The answer is the new item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/email-templates",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an email template.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/email-templates/{part(id)}",
            if_match=if_match,
        )

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.EmailTemplate:
        """Duplicate an email template.

        The answer is the new item. Its title says that it is a copy. It isn't public, and has
        neither the slug nor the schedule of the other item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/email-templates/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have an email template open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/email-templates/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed an email template.

        The others learn it at once.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/email-templates/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffEmailTemplatesListQuery],
    ) -> AsyncResults[types.EmailTemplate]:
        """List email templates.

        All items that match the filters, a page at a time.

        Needs the permission `email.read`.
        """
        return self._client.request_list("/api/staff/email-templates", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have an email template open.

        The `ETag` is the item's.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/email-templates/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.PreviewOptions,
        *,
        idempotency_key: str | None = None,
    ) -> types.Preview:
        """Preview a template, with changes that aren't saved.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/email-templates/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of an email template.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/email-templates/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of an email template.

        The values are those that items can have today.

        Needs the permission `email.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/email-templates/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffEmailTemplatesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of an email template.

        The states that it had after saves, the newest first.

        Needs the permission `email.read`.
        """
        return self._client.request_list(
            f"/api/staff/email-templates/{part(id)}/revisions",
            query=query,
        )

    async def show(self, id: int) -> types.EmailTemplate:
        """Show an email template.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/email-templates/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.EmailTemplateUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.EmailTemplateSaved:
        """Change an email template.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/email-templates/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffEvents(AsyncGroup):
    """The operations ``staff.events``."""

    async def bulk(
        self,
        body: types.BulkOperation,
        *,
        idempotency_key: str | None = None,
    ) -> types.BulkResult:
        """Publish, unpublish or delete events.

        An item that can't be changed is in `failed`; the others are changed. Deleted items go
        to the trash.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/events/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffEventsCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of an event.

        Texts are compared by words.

        Needs the permission `events.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/events/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.EventCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.EventStaff:
        """Create an event as a draft.

        The answer is the new item. It becomes public by an approval.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/events",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an event.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/events/{part(id)}",
            if_match=if_match,
        )

    async def drop_staged(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Drop the staged edits of an event.

        The published item stays as the public sees it.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/events/{part(id)}/staged",
            if_match=if_match,
        )

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.EventStaff:
        """Duplicate an event.

        The answer is a draft with the values and the tags of the item as staff see it, also of
        an edit that waits. Its title says that it is a copy; it has a slug of its own and no
        schedule.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/events/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have an event open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/events/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed an event.

        The others learn it at once.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/events/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffEventsListQuery],
    ) -> AsyncResults[types.EventStaffSummary]:
        """List events, including drafts.

        All items, a page at a time, without their `content`.

        Needs the permission `events.read`.
        """
        return self._client.request_list("/api/staff/events", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have an event open.

        The `ETag` is the item's.

        Needs the permission `events.read`.
        """
        return await self._client.request("GET", f"/api/staff/events/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to an event.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/events/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to an event.

        Those that haven't expired, the newest first.

        Needs the permission `events.read`.
        """
        return self._client.request_list(f"/api/staff/events/{part(id)}/previews")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of an event.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/events/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of an event.

        The values are those that items can have today.

        Needs the permission `events.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/events/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffEventsRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of an event.

        The states that it had after saves, the newest first.

        Needs the permission `events.read`.
        """
        return self._client.request_list(f"/api/staff/events/{part(id)}/revisions", query=query)

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to an event.

        Its token opens nothing from then on.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/events/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.EventStaff:
        """Show an event.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `events.read`.
        """
        return await self._client.request("GET", f"/api/staff/events/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.EventUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.EventStaffSaved:
        """Change an event.

        Changes the fields that are sent and keeps the others. An edit of a published item waits
        for approval, and the public sees the former text until then. The answer is the item
        with the edit.

        Needs the permission `events.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/events/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffFollowUpRules(AsyncGroup):
    """The operations ``staff.follow_up_rules``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffFollowUpRulesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a follow-up rule.

        Texts are compared by words.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/follow-up-rules/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.FollowUpRuleCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.FollowUpRule:
        """Create a follow-up rule.

        The answer is the new item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/follow-up-rules",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a follow-up rule permanently.

        Nothing brings the item back.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/follow-up-rules/{part(id)}",
            if_match=if_match,
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a follow-up rule open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/follow-up-rules/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a follow-up rule.

        The others learn it at once.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/follow-up-rules/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffFollowUpRulesListQuery],
    ) -> AsyncResults[types.FollowUpRule]:
        """List follow-up rules.

        All items that match the filters, a page at a time.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list("/api/staff/follow-up-rules", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a follow-up rule open.

        The `ETag` is the item's.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/follow-up-rules/{part(id)}/presence")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a follow-up rule.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/follow-up-rules/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a follow-up rule.

        The values are those that items can have today.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/follow-up-rules/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffFollowUpRulesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a follow-up rule.

        The states that it had after saves, the newest first.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list(
            f"/api/staff/follow-up-rules/{part(id)}/revisions",
            query=query,
        )

    async def show(self, id: int) -> types.FollowUpRule:
        """Show a follow-up rule.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/follow-up-rules/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.FollowUpRuleUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.FollowUpRuleSaved:
        """Change a follow-up rule.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/follow-up-rules/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffFollowUps(AsyncGroup):
    """The operations ``staff.follow_ups``."""

    async def complete(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Complete a follow-up.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/follow-ups/{part(id)}/complete",
            idempotency_key=idempotency_key or new_key(),
        )

    async def dashboard(self) -> types.FollowUpDashboard:
        """Show the pending, the overdue and the last completed follow-ups.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", "/api/staff/follow-up-dashboard")


class StaffImages(AsyncGroup):
    """The operations ``staff.images``."""

    async def delete(
        self,
        prefix: str,
        filename: str,
        *,
        if_match: Revision | None = None,
        **query: Unpack[types.StaffImagesDeleteQuery],
    ) -> types.Success:
        """Delete an image that is not used; with force, any image.

        Needs the permission `media.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/images/{part(prefix)}/{part(filename)}",
            query=query,
            if_match=if_match,
        )

    def list(self, **query: Unpack[types.StaffImagesListQuery]) -> AsyncResults[types.Image]:
        """List images, newest first.

        Needs the permission `media.read`.
        """
        return self._client.request_list("/api/staff/images", query=query)

    async def show(self, prefix: str, filename: str) -> types.Image:
        """Show the address, the size and the alternative text of an image.

        Needs the permission `media.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/images/{part(prefix)}/{part(filename)}",
        )

    async def update(
        self,
        prefix: str,
        filename: str,
        body: types.ImageUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Image:
        """Set the alternative text of an image.

        Needs the permission `media.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/images/{part(prefix)}/{part(filename)}",
            body=body,
            if_match=if_match,
        )

    async def upload(
        self,
        file: File,
        *,
        progress: Progress | None = None,
        idempotency_key: str | None = None,
    ) -> types.UploadedImage:
        """Upload an image, or return the one that has the same bytes.

        JPEG, PNG, WebP and GIF are accepted, as their bytes say. Use the `url` of the answer as
        the address of the image in content.

        Needs the permission `media.write`.
        """
        return await self._client.request_upload(
            "/api/staff/upload/image",
            file,
            progress=progress,
            idempotency_key=idempotency_key or new_key(),
        )


class StaffNavigation(AsyncGroup):
    """The operations ``staff.navigation``."""

    async def create(
        self,
        body: types.NavigationEntryUpdate,
        *,
        idempotency_key: str | None = None,
    ) -> types.NavigationEntry:
        """Add a folder, a page or a link to the navigation.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/navigation",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, entry: str, *, if_match: Revision | None = None) -> types.Success:
        """Delete an entry of the navigation; the entries of a folder move up.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/navigation/{part(entry)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffNavigationListQuery],
    ) -> AsyncResults[types.NavigationEntry]:
        """List all entries of the navigation, each folder before its entries.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/navigation", query=query)

    async def show(self, entry: str) -> types.NavigationEntry:
        """Show an entry of the navigation.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/navigation/{part(entry)}")

    async def update(
        self,
        entry: str,
        body: types.NavigationEntryUpdateInput,
        *,
        if_match: Revision | None = None,
    ) -> types.NavigationEntry:
        """Change, move or hide an entry of the navigation.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/navigation/{part(entry)}",
            body=body,
            if_match=if_match,
        )


class StaffNews(AsyncGroup):
    """The operations ``staff.news``."""

    async def bulk(
        self,
        body: types.BulkOperation,
        *,
        idempotency_key: str | None = None,
    ) -> types.BulkResult:
        """Publish, unpublish or delete news articles.

        An item that can't be changed is in `failed`; the others are changed. Deleted items go
        to the trash.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/news/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffNewsCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a news article.

        Texts are compared by words.

        Needs the permission `news.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/news/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.NewsArticleCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.NewsArticleStaff:
        """Create a news article as a draft.

        The answer is the new item. It becomes public by an approval.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/news",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a news article.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/news/{part(id)}",
            if_match=if_match,
        )

    async def drop_staged(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Drop the staged edits of a news article.

        The published item stays as the public sees it.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/news/{part(id)}/staged",
            if_match=if_match,
        )

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.NewsArticleStaff:
        """Duplicate a news article.

        The answer is a draft with the values and the tags of the item as staff see it, also of
        an edit that waits. Its title says that it is a copy; it has a slug of its own and no
        schedule.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/news/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a news article open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/news/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a news article.

        The others learn it at once.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/news/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffNewsListQuery],
    ) -> AsyncResults[types.NewsArticleStaffSummary]:
        """List news articles, including drafts.

        All items, a page at a time, without their `content`.

        Needs the permission `news.read`.
        """
        return self._client.request_list("/api/staff/news", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a news article open.

        The `ETag` is the item's.

        Needs the permission `news.read`.
        """
        return await self._client.request("GET", f"/api/staff/news/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to a news article.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/news/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to a news article.

        Those that haven't expired, the newest first.

        Needs the permission `news.read`.
        """
        return self._client.request_list(f"/api/staff/news/{part(id)}/previews")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a news article.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/news/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a news article.

        The values are those that items can have today.

        Needs the permission `news.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/news/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffNewsRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a news article.

        The states that it had after saves, the newest first.

        Needs the permission `news.read`.
        """
        return self._client.request_list(f"/api/staff/news/{part(id)}/revisions", query=query)

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to a news article.

        Its token opens nothing from then on.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/news/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.NewsArticleStaff:
        """Show a news article.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `news.read`.
        """
        return await self._client.request("GET", f"/api/staff/news/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.NewsArticleUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.NewsArticleStaffSaved:
        """Change a news article.

        Changes the fields that are sent and keeps the others. An edit of a published item waits
        for approval, and the public sees the former text until then. The answer is the item
        with the edit.

        Needs the permission `news.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/news/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffNewsletterSubscribers(AsyncGroup):
    """The operations ``staff.newsletter_subscribers``."""

    async def bulk(
        self,
        body: types.SubscriberBulkOperation,
        *,
        idempotency_key: str | None = None,
    ) -> types.BulkResult:
        """Unsubscribe or delete many subscribers, or set their source or language.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/newsletter-subscribers/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def create(
        self,
        body: types.SubscriberCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Subscriber:
        """Add a subscriber; one that exists is returned unchanged.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/newsletter-subscribers",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a subscriber permanently.

        Nothing brings the item back.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/newsletter-subscribers/{part(id)}",
            if_match=if_match,
        )

    async def export(
        self,
        **query: Unpack[types.StaffNewsletterSubscribersExportQuery],
    ) -> bytes:
        """Export subscribers as a CSV file that spreadsheets open safely.

        Needs the permission `email.addresses`.
        """
        return await self._client.request_bytes(
            "GET",
            "/api/staff/newsletter-subscribers/export",
            query=query,
        )

    async def import_(
        self,
        file: File,
        *,
        progress: Progress | None = None,
        form: types.StaffNewsletterSubscribersImportForm | None = None,
        idempotency_key: str | None = None,
        **query: Unpack[types.StaffNewsletterSubscribersImportQuery],
    ) -> types.SubscriberImportReport:
        """Import subscribers from a table, also from an export of another newsletter tool.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request_upload(
            "/api/staff/newsletter-subscribers/bulk-import",
            file,
            progress=progress,
            query=query,
            form=form,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(
        self,
        **query: Unpack[types.StaffNewsletterSubscribersListQuery],
    ) -> AsyncResults[types.Subscriber]:
        """List subscribers.

        All items that match the filters, a page at a time.

        Needs the permission `email.addresses`.
        """
        return self._client.request_list("/api/staff/newsletter-subscribers", query=query)

    async def show(self, id: int) -> types.Subscriber:
        """Show a subscriber.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `email.addresses`.
        """
        return await self._client.request("GET", f"/api/staff/newsletter-subscribers/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.SubscriberUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Subscriber:
        """Change a subscriber.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/newsletter-subscribers/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffNewsletters(AsyncGroup):
    """The operations ``staff.newsletters``."""

    async def audience(self, id: int) -> types.NewsletterAudience:
        """Count the subscribers who would get a newsletter now.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/newsletters/{part(id)}/audience")

    async def cancel(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Cancel the delivery of a newsletter permanently.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/cancel",
            idempotency_key=idempotency_key or new_key(),
        )

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffNewslettersCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a newsletter.

        Texts are compared by words.

        Needs the permission `email.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/newsletters/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.NewsletterCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Newsletter:
        """Create a newsletter.

        The answer is the new item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/newsletters",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a newsletter.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/newsletters/{part(id)}",
            if_match=if_match,
        )

    async def deliveries(self, id: int) -> types.Deliveries:
        """Show the state of a newsletter, count its deliveries, and list the failures.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/newsletters/{part(id)}/deliveries")

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.Newsletter:
        """Duplicate a newsletter.

        The answer is the new item. Its title says that it is a copy. It isn't public, and has
        neither the slug nor the schedule of the other item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a newsletter open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/newsletters/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a newsletter.

        The others learn it at once.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/newsletters/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffNewslettersListQuery],
    ) -> AsyncResults[types.Newsletter]:
        """List newsletters.

        All items that match the filters, a page at a time.

        Needs the permission `email.read`.
        """
        return self._client.request_list("/api/staff/newsletters", query=query)

    async def pause(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Pause the delivery of a newsletter.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/pause",
            idempotency_key=idempotency_key or new_key(),
        )

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a newsletter open.

        The `ETag` is the item's.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/newsletters/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.PreviewOptions,
        *,
        idempotency_key: str | None = None,
    ) -> types.Preview:
        """Preview a newsletter, with changes that aren't saved.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def preview_link(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to a newsletter.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/previews",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def preview_unsaved(
        self,
        body: types.PreviewOptions,
        *,
        idempotency_key: str | None = None,
    ) -> types.Preview:
        """Preview a newsletter that isn't saved.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/newsletters/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to a newsletter.

        Those that haven't expired, the newest first.

        Needs the permission `email.read`.
        """
        return self._client.request_list(f"/api/staff/newsletters/{part(id)}/previews")

    def recipients(
        self,
        id: int,
        **query: Unpack[types.StaffNewslettersRecipientsQuery],
    ) -> AsyncResults[types.Recipient]:
        """List the recipients of a newsletter with the state of each delivery.

        Needs the permission `email.read` and the permission `email.addresses`.
        """
        return self._client.request_list(
            f"/api/staff/newsletters/{part(id)}/recipients",
            query=query,
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a newsletter.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def resume(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Resume the delivery of a newsletter.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/resume",
            idempotency_key=idempotency_key or new_key(),
        )

    async def retry(
        self,
        id: int,
        body: types.DeliveryRetry,
        *,
        idempotency_key: str | None = None,
    ) -> types.DeliveryRetried:
        """Queue the failed deliveries of a newsletter again.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/retry",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a newsletter.

        The values are those that items can have today.

        Needs the permission `email.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/newsletters/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffNewslettersRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a newsletter.

        The states that it had after saves, the newest first.

        Needs the permission `email.read`.
        """
        return self._client.request_list(
            f"/api/staff/newsletters/{part(id)}/revisions",
            query=query,
        )

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to a newsletter.

        Its token opens nothing from then on.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/newsletters/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def schedule(
        self,
        id: int,
        body: types.NewsletterSchedule,
        *,
        idempotency_key: str | None = None,
    ) -> types.Newsletter:
        """Schedule an approved newsletter, or make it a draft again.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/schedule",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def send(self, id: int, *, idempotency_key: str | None = None) -> types.MailSent:
        """Send an approved newsletter to all subscribers.

        The answer comes at once; a worker delivers the mails afterwards.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/send",
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, id: int) -> types.Newsletter:
        """Show a newsletter.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `email.read`.
        """
        return await self._client.request("GET", f"/api/staff/newsletters/{part(id)}")

    async def test(
        self,
        id: int,
        body: types.NewsletterTest,
        *,
        idempotency_key: str | None = None,
    ) -> types.NewsletterTested:
        """Send a newsletter to one address as a test.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/test",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def update(
        self,
        id: int,
        body: types.NewsletterUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.NewsletterSaved:
        """Change a newsletter.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/newsletters/{part(id)}",
            body=body,
            if_match=if_match,
        )

    async def withdraw(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Remove a newsletter from the archive, also after it was sent.

        Needs the permission `email.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/newsletters/{part(id)}/withdraw",
            idempotency_key=idempotency_key or new_key(),
        )


class StaffPages(AsyncGroup):
    """The operations ``staff.pages``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffPagesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a page.

        Texts are compared by words.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/pages/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.PageCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.PageStaff:
        """Create a page.

        The answer is the new item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/pages",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a page.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/pages/{part(id)}",
            if_match=if_match,
        )

    async def duplicate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.PageStaff:
        """Duplicate a page.

        The answer is the new item. Its title says that it is a copy. It isn't public, and has
        neither the slug nor the schedule of the other item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/pages/{part(id)}/duplicate",
            idempotency_key=idempotency_key or new_key(),
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a page open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/pages/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a page.

        The others learn it at once.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/pages/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffPagesListQuery],
    ) -> AsyncResults[types.PageStaffSummary]:
        """List pages.

        All items that match the filters, a page at a time.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/pages", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a page open.

        The `ETag` is the item's.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/pages/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to a page.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/pages/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to a page.

        Those that haven't expired, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list(f"/api/staff/pages/{part(id)}/previews")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a page.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/pages/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a page.

        The values are those that items can have today.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/pages/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffPagesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a page.

        The states that it had after saves, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list(f"/api/staff/pages/{part(id)}/revisions", query=query)

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to a page.

        Its token opens nothing from then on.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/pages/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.PageStaff:
        """Show a page.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/pages/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.PageUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.PageStaffSaved:
        """Change a page.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/pages/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffPeople(AsyncGroup):
    """The operations ``staff.people``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffPeopleCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a person.

        Texts are compared by words.

        Needs the permission `people.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/people/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.PersonCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.PersonStaff:
        """Create a person.

        The answer is the new item.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/people",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a person.

        The item goes to the trash, from which it can be restored, unless the instance has none.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/people/{part(id)}",
            if_match=if_match,
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a person open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/people/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a person.

        The others learn it at once.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/people/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffPeopleListQuery],
    ) -> AsyncResults[types.PersonStaff]:
        """List people.

        All items that match the filters, a page at a time.

        Needs the permission `people.read`.
        """
        return self._client.request_list("/api/staff/people", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a person open.

        The `ETag` is the item's.

        Needs the permission `people.read`.
        """
        return await self._client.request("GET", f"/api/staff/people/{part(id)}/presence")

    async def preview(
        self,
        id: int,
        body: types.NewPreviewLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedPreviewLink:
        """Make a preview link to a person.

        Whoever has the link sees the item as the public would see it after its approval: the
        draft or the staged edits. Only this answer has the token.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/people/{part(id)}/preview",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def previews(self, id: int) -> AsyncResults[types.PreviewLink]:
        """List the preview links to a person.

        Those that haven't expired, the newest first.

        Needs the permission `people.read`.
        """
        return self._client.request_list(f"/api/staff/people/{part(id)}/previews")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a person.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/people/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a person.

        The values are those that items can have today.

        Needs the permission `people.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/people/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffPeopleRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a person.

        The states that it had after saves, the newest first.

        Needs the permission `people.read`.
        """
        return self._client.request_list(f"/api/staff/people/{part(id)}/revisions", query=query)

    async def revoke_preview(
        self,
        id: int,
        preview_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Revoke a preview link to a person.

        Its token opens nothing from then on.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/people/{part(id)}/previews/{part(preview_id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.PersonStaff:
        """Show a person.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `people.read`.
        """
        return await self._client.request("GET", f"/api/staff/people/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.PersonUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.PersonStaffSaved:
        """Change a person.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `people.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/people/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffProgressionStages(AsyncGroup):
    """The operations ``staff.progression_stages``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffProgressionStagesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a progression stage.

        Texts are compared by words.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/progression-stages/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.ProgressionStageCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.ProgressionStage:
        """Create a progression stage.

        The answer is the new item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/progression-stages",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a progression stage permanently.

        Nothing brings the item back.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/progression-stages/{part(id)}",
            if_match=if_match,
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a progression stage open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/progression-stages/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a progression stage.

        The others learn it at once.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/progression-stages/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffProgressionStagesListQuery],
    ) -> AsyncResults[types.ProgressionStage]:
        """List progression stages.

        All items that match the filters, a page at a time.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list("/api/staff/progression-stages", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a progression stage open.

        The `ETag` is the item's.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/progression-stages/{part(id)}/presence",
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a progression stage.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/progression-stages/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a progression stage.

        The values are those that items can have today.

        Needs the permission `contacts.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/progression-stages/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffProgressionStagesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a progression stage.

        The states that it had after saves, the newest first.

        Needs the permission `contacts.read`.
        """
        return self._client.request_list(
            f"/api/staff/progression-stages/{part(id)}/revisions",
            query=query,
        )

    async def show(self, id: int) -> types.ProgressionStage:
        """Show a progression stage.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `contacts.read`.
        """
        return await self._client.request("GET", f"/api/staff/progression-stages/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ProgressionStageUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ProgressionStageSaved:
        """Change a progression stage.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `contacts.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/progression-stages/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffProposals(AsyncGroup):
    """The operations ``staff.proposals``."""

    async def accept(self, id: int, *, idempotency_key: str | None = None) -> types.Created:
        """Create a draft action from a proposal.

        Needs the permission `proposals.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/action-proposals/{part(id)}/accept",
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a proposal permanently.

        Nothing brings the item back.

        Needs the permission `proposals.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/action-proposals/{part(id)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffProposalsListQuery],
    ) -> AsyncResults[types.ProposalSummary]:
        """List proposals.

        All items that match the filters, a page at a time.

        Needs the permission `proposals.read`.
        """
        return self._client.request_list("/api/staff/action-proposals", query=query)

    async def show(self, id: int) -> types.Proposal:
        """Show a proposal.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `proposals.read`.
        """
        return await self._client.request("GET", f"/api/staff/action-proposals/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ProposalUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Proposal:
        """Change a proposal.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `proposals.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/action-proposals/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffSite(AsyncGroup):
    """The operations ``staff.site``."""

    async def compare_revisions(
        self,
        **query: Unpack[types.StaffSiteCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a fact about the organisation.

        Texts are compared by words.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", "/api/staff/site/revisions/compare", query=query)

    async def restore_revision(
        self,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a fact about the organisation.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/site/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, revision_id: int) -> types.Revision:
        """Show a revision of a fact about the organisation.

        The values are those that items can have today.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/site/revisions/{part(revision_id)}")

    def revisions(
        self,
        **query: Unpack[types.StaffSiteRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a fact about the organisation.

        The states that it had after saves, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/site/revisions", query=query)

    async def show(self) -> types.StoredOrganisation:
        """Show the facts about the organisation.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", "/api/staff/site")

    async def update(
        self,
        body: types.OrganisationUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.StoredOrganisation:
        """Change facts about the organisation.

        Needs the permission `site.write`.
        """
        return await self._client.request("PUT", "/api/staff/site", body=body, if_match=if_match)


class StaffStaticImages(AsyncGroup):
    """The operations ``staff.static_images``."""

    async def compare_revisions(
        self,
        name: str,
        **query: Unpack[types.StaffStaticImagesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a static image.

        Texts are compared by words.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/static-images/{part(name)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.StaticImageCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.StaticImageStaff:
        """Create a static image.

        The answer is the new item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/static-images",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, name: str, *, if_match: Revision | None = None) -> types.Success:
        """Delete a static image permanently.

        Nothing brings the item back.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/static-images/{part(name)}",
            if_match=if_match,
        )

    async def enter(
        self,
        name: str,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a static image open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/static-images/{part(name)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, name: str, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a static image.

        The others learn it at once.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/static-images/{part(name)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffStaticImagesListQuery],
    ) -> AsyncResults[types.StaticImageStaff]:
        """List static images.

        All items that match the filters, a page at a time.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/static-images", query=query)

    async def presence(self, name: str) -> types.Presence:
        """List the others who have a static image open.

        The `ETag` is the item's.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/static-images/{part(name)}/presence")

    async def restore_revision(
        self,
        name: str,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a static image.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/static-images/{part(name)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, name: str, revision_id: int) -> types.Revision:
        """Show a revision of a static image.

        The values are those that items can have today.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/static-images/{part(name)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        name: str,
        **query: Unpack[types.StaffStaticImagesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a static image.

        The states that it had after saves, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list(
            f"/api/staff/static-images/{part(name)}/revisions",
            query=query,
        )

    async def show(self, name: str) -> types.StaticImageStaff:
        """Show a static image.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/static-images/{part(name)}")

    async def update(
        self,
        name: str,
        body: types.StaticImageUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.StaticImageStaffSaved:
        """Change a static image.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/static-images/{part(name)}",
            body=body,
            if_match=if_match,
        )


class StaffSuppressions(AsyncGroup):
    """The operations ``staff.suppressions``."""

    async def create(
        self,
        body: types.SuppressedAddressCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.SuppressedAddress:
        """Suppress an address, so that it receives no mail.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/email/suppressions",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, email: str, *, if_match: Revision | None = None) -> types.Success:
        """Release a suppressed address.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/email/suppressions/{part(email)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffSuppressionsListQuery],
    ) -> AsyncResults[types.SuppressedAddress]:
        """List the suppressed addresses, newest first.

        Needs the permission `email.addresses`.
        """
        return self._client.request_list("/api/staff/email/suppressions", query=query)

    async def release(
        self,
        body: types.SuppressionRelease,
        *,
        idempotency_key: str | None = None,
    ) -> types.SuppressionReleased:
        """Release the suppressed addresses that match all of some filters.

        Needs the permission `email.write` and the permission `email.addresses`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/email/suppressions/release",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )


class StaffSystem(AsyncGroup):
    """The operations ``staff.system``."""

    @property
    def jobs(self) -> StaffSystemJobs:
        """The operations ``staff.system.jobs``."""
        return StaffSystemJobs(self._client)

    async def show(self) -> types.System:
        """Show jobs, workers, figures such as those of the outbox, disk, versions and plugins.

        Needs the permission `admin`.
        """
        return await self._client.request("GET", "/api/staff/system")


class StaffTags(AsyncGroup):
    """The operations ``staff.tags``."""

    async def create(
        self,
        body: types.TagCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Tag:
        """Create a tag.

        Needs the permission `tags.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/tags",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a tag and remove it from all content.

        Needs the permission `tags.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/tags/{part(id)}",
            if_match=if_match,
        )

    def list(self, **query: Unpack[types.StaffTagsListQuery]) -> AsyncResults[types.Tag]:
        """List all tags by name.

        Needs the permission `tags.read`.
        """
        return self._client.request_list("/api/staff/tags", query=query)

    async def show(self, id: int) -> types.Tag:
        """Show a tag.

        Needs the permission `tags.read`.
        """
        return await self._client.request("GET", f"/api/staff/tags/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.TagCreateInput,
        *,
        if_match: Revision | None = None,
    ) -> types.Tag:
        """Rename a tag, whose slug follows, or choose another slug.

        Needs the permission `tags.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/tags/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffTypes(AsyncGroup):
    """The operations ``staff.types``."""

    def list(self) -> AsyncResults[types.Type]:
        """List the content types and resources that you may read.

        Each comes with its fields, the controls that suit them, its lists, and the operations
        that you may perform, so that a client can build forms for plugins that it doesn't know.
        The answer changes with a new release, with the settings and with your roles; send its
        `ETag` as `If-None-Match` to learn whether it has changed.

        Needs a token.
        """
        return self._client.request_list("/api/staff/types")


class StaffValues(AsyncGroup):
    """The operations ``staff.values``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffValuesCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of an about value.

        Texts are compared by words.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/about/values/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.AboutValueCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.AboutValue:
        """Create an about value.

        The answer is the new item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/about/values",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an about value permanently.

        Nothing brings the item back.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/about/values/{part(id)}",
            if_match=if_match,
        )

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have an about value open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/about/values/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed an about value.

        The others learn it at once.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/about/values/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffValuesListQuery],
    ) -> AsyncResults[types.AboutValue]:
        """List about values.

        All items that match the filters, a page at a time.

        Needs the permission `site.read`.
        """
        return self._client.request_list("/api/staff/about/values", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have an about value open.

        The `ETag` is the item's.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/about/values/{part(id)}/presence")

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of an about value.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/about/values/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of an about value.

        The values are those that items can have today.

        Needs the permission `site.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/about/values/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffValuesRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of an about value.

        The states that it had after saves, the newest first.

        Needs the permission `site.read`.
        """
        return self._client.request_list(
            f"/api/staff/about/values/{part(id)}/revisions",
            query=query,
        )

    async def show(self, id: int) -> types.AboutValue:
        """Show an about value.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `site.read`.
        """
        return await self._client.request("GET", f"/api/staff/about/values/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.AboutValueUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.AboutValueSaved:
        """Change an about value.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `site.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/about/values/{part(id)}",
            body=body,
            if_match=if_match,
        )


class StaffWebhooks(AsyncGroup):
    """The operations ``staff.webhooks``."""

    async def compare_revisions(
        self,
        id: int,
        **query: Unpack[types.StaffWebhooksCompareRevisionsQuery],
    ) -> types.RevisionComparison:
        """Compare two revisions of a webhook.

        Texts are compared by words.

        Needs the permission `webhooks.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/webhooks/{part(id)}/revisions/compare",
            query=query,
        )

    async def create(
        self,
        body: types.WebhookCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Webhook:
        """Create a webhook.

        The answer is the new item.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/webhooks",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a webhook permanently.

        Nothing brings the item back.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/webhooks/{part(id)}",
            if_match=if_match,
        )

    def deliveries(
        self,
        id: int,
        **query: Unpack[types.StaffWebhooksDeliveriesQuery],
    ) -> AsyncResults[types.WebhookDelivery]:
        """List the deliveries of a webhook, newest first.

        Needs the permission `webhooks.read`.
        """
        return self._client.request_list(f"/api/staff/webhooks/{part(id)}/deliveries", query=query)

    async def enter(
        self,
        id: int,
        body: types.OwnPresence,
        *,
        if_match: Revision | None = None,
    ) -> types.Presence:
        """Say that you have a webhook open, and learn who else has.

        Repeat it before `seconds` have passed, or else you count as gone. The `ETag` is the
        item's; `If-Match` tells whether the item has changed.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/webhooks/{part(id)}/presence",
            body=body,
            if_match=if_match,
        )

    async def leave(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Say that you have closed a webhook.

        The others learn it at once.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/webhooks/{part(id)}/presence",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.StaffWebhooksListQuery],
    ) -> AsyncResults[types.WebhookSummary]:
        """List webhooks.

        All items that match the filters, a page at a time.

        Needs the permission `webhooks.read`.
        """
        return self._client.request_list("/api/staff/webhooks", query=query)

    async def presence(self, id: int) -> types.Presence:
        """List the others who have a webhook open.

        The `ETag` is the item's.

        Needs the permission `webhooks.read`.
        """
        return await self._client.request("GET", f"/api/staff/webhooks/{part(id)}/presence")

    async def replay(
        self,
        id: int,
        delivery_id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.WebhookQueued:
        """Repeat a delivery that has ended.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/webhooks/{part(id)}/deliveries/{part(delivery_id)}/replay",
            idempotency_key=idempotency_key or new_key(),
        )

    async def restore_revision(
        self,
        id: int,
        revision_id: int,
        body: types.RevisionRestore,
        *,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
    ) -> types.RevisionRestored:
        """Restore a revision of a webhook.

        An edit with the values of the revision, which waits for approval like any other edit.
        The answer names the values that don't fit any more.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/webhooks/{part(id)}/revisions/{part(revision_id)}/restore",
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key or new_key(),
        )

    async def revision(self, id: int, revision_id: int) -> types.Revision:
        """Show a revision of a webhook.

        The values are those that items can have today.

        Needs the permission `webhooks.read`.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/webhooks/{part(id)}/revisions/{part(revision_id)}",
        )

    def revisions(
        self,
        id: int,
        **query: Unpack[types.StaffWebhooksRevisionsQuery],
    ) -> AsyncResults[types.RevisionSummary]:
        """List the revisions of a webhook.

        The states that it had after saves, the newest first.

        Needs the permission `webhooks.read`.
        """
        return self._client.request_list(f"/api/staff/webhooks/{part(id)}/revisions", query=query)

    async def rotate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.WebhookSecret:
        """Give a webhook a new secret, which this answer alone shows.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/webhooks/{part(id)}/secret",
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, id: int) -> types.Webhook:
        """Show a webhook.

        The answer carries the revision of the item as its `ETag`.

        Needs the permission `webhooks.read`.
        """
        return await self._client.request("GET", f"/api/staff/webhooks/{part(id)}")

    async def test(self, id: int, *, idempotency_key: str | None = None) -> types.WebhookQueued:
        """Call a webhook with the event webhook.test.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/webhooks/{part(id)}/test",
            idempotency_key=idempotency_key or new_key(),
        )

    async def update(
        self,
        id: int,
        body: types.WebhookUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.WebhookSaved:
        """Change a webhook.

        Changes the fields that are sent and keeps the others. The answer is the item.

        Needs the permission `webhooks.write`.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/webhooks/{part(id)}",
            body=body,
            if_match=if_match,
        )


class About(AsyncGroup):
    """The operations ``about``."""

    async def show(self) -> types.About:
        """Show mission, history and values of the organisation.

        Needs no token.
        """
        return await self._client.request("GET", "/api/about", public=True)


class Actions(AsyncGroup):
    """The operations ``actions``."""

    def list(self, **query: Unpack[types.ActionsListQuery]) -> AsyncResults[types.Action]:
        """List published actions.

        A page at a time, without drafts and items that are to appear later.

        Needs no token.
        """
        return self._client.request_list("/api/actions", query=query, public=True)

    def related(
        self,
        id: int,
        **query: Unpack[types.ActionsRelatedQuery],
    ) -> AsyncResults[types.ActionRelated]:
        """List actions related to another one.

        By default three published items at most, those with the most shared tags first.

        Needs no token.
        """
        return self._client.request_list(
            f"/api/actions/{part(id)}/related",
            query=query,
            public=True,
        )

    async def show(self, slug: str, **query: Unpack[types.ActionsShowQuery]) -> types.Action:
        """Show a published action.

        404 for a draft, and before the time at which the item is to appear.

        Needs no token.
        """
        return await self._client.request(
            "GET",
            f"/api/actions/{part(slug)}",
            query=query,
            public=True,
        )


class ApiTokens(AsyncGroup):
    """The operations ``api_tokens``."""

    async def create(
        self,
        body: types.NewApiToken,
        *,
        idempotency_key: str | None = None,
    ) -> types.CreatedApiToken:
        """Make an API token.

        A program sends it as `Authorization: Bearer mst_…` and acts for you, with the
        permissions of the token that you have at that time. Only this answer shows the token.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/api-tokens",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(self, **query: Unpack[types.ApiTokensListQuery]) -> AsyncResults[types.ApiToken]:
        """List your API tokens, newest first; expired ones are listed for a month.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return self._client.request_list("/api/staff/api-tokens", query=query)

    async def revoke(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Revoke an API token, which is invalid from then on.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/api-tokens/{part(id)}",
            if_match=if_match,
        )

    async def show(self, id: int) -> types.ApiToken:
        """Show an API token of yours, or any to an administrator.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request("GET", f"/api/staff/api-tokens/{part(id)}")

    async def update(
        self,
        id: int,
        body: types.ApiTokenUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.ApiToken:
        """Change the name of an API token.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/api-tokens/{part(id)}",
            body=body,
            if_match=if_match,
        )


class Approval(AsyncGroup):
    """The operations ``approval``."""

    async def approve(
        self,
        body: types.Approval,
        *,
        idempotency_key: str | None = None,
    ) -> types.ApprovalGiven:
        """Approve an item, which publishes it.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval/approve",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def bulk(
        self,
        body: types.ApprovalBulk,
        *,
        idempotency_key: str | None = None,
    ) -> types.ApprovalBulkResult:
        """Request, approve, reject or withdraw many items.

        Each item is judged as if it were the only one. One that can't be moved is in `failed`;
        the others are moved.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def pending(
        self,
        **query: Unpack[types.ApprovalPendingQuery],
    ) -> AsyncResults[types.PendingItem]:
        """List the items that wait for your approval, the oldest request first.

        Needs a token.
        """
        return self._client.request_list("/api/staff/approval/pending", query=query)

    async def reject(
        self,
        body: types.Rejection,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Reject an item, optionally with a reason.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval/reject",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def request(
        self,
        body: types.ApprovalRequest,
        *,
        idempotency_key: str | None = None,
    ) -> types.ApprovalRequested:
        """Request the approval of an item.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval/request",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, type: str, id: int) -> types.ApprovalProposal:
        """Show an item with its live and its proposed values, and the moves that it has made.

        It needs the permission to read the type. `differences` compares texts by words.

        Needs a token.
        """
        return await self._client.request("GET", f"/api/staff/approval/{part(type)}/{part(id)}")

    async def withdraw(
        self,
        body: types.Withdrawal,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Withdraw the request of an item.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval/withdraw",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )


class ApprovalConfig(AsyncGroup):
    """The operations ``approval_config``."""

    async def create(
        self,
        body: types.ApproverCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Created:
        """Let a role approve a content type.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/approval-config",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Remove a role's approval power for a content type.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/approval-config/{part(id)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.ApprovalConfigListQuery],
    ) -> AsyncResults[types.Approver]:
        """List the roles that may approve each content type.

        Needs the permission `admin`.
        """
        return self._client.request_list("/api/staff/approval-config", query=query)


class ApprovalReviewers(AsyncGroup):
    """The operations ``approval_reviewers``."""

    def list(
        self,
        type: str,
        **query: Unpack[types.ApprovalReviewersListQuery],
    ) -> AsyncResults[types.UserReference]:
        """List the users who can approve what you request, for the reviewer of a request.

        It needs the permission to write the type.

        Needs a token.
        """
        return self._client.request_list(f"/api/staff/approval-reviewers/{part(type)}", query=query)


class Audit(AsyncGroup):
    """The operations ``audit``."""

    def list(self, **query: Unpack[types.AuditListQuery]) -> AsyncResults[types.AuditEntry]:
        """List the audit log, newest first.

        Needs the permission `admin`.
        """
        return self._client.request_list("/api/staff/audit-log", query=query)


class Auth(AsyncGroup):
    """The operations ``auth``."""

    async def change_password(
        self,
        body: types.PasswordChange,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Change the caller's password, which ends their other tokens.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/change-password",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def check(self) -> types.TokenCheck:
        """Show the token's user and their current permissions.

        Needs a token.
        """
        return await self._client.request("GET", "/api/auth/check")

    async def create_role(
        self,
        body: types.RoleCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Role:
        """Create a role.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/roles",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def create_user(
        self,
        body: types.UserCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.User:
        """Create a user.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/users",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete_role(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a role that no user holds.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/roles/{part(id)}",
            if_match=if_match,
        )

    async def forgot_password(
        self,
        body: types.PasswordRecovery,
    ) -> types.PasswordRecoveryStarted:
        """Mail a link to a user who forgot their password.

        Neither the answer nor its duration reveals whether the user exists.

        Needs no token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/forgot-password",
            body=body,
            public=True,
        )

    def list_roles(self, **query: Unpack[types.AuthListRolesQuery]) -> AsyncResults[types.Role]:
        """List the roles by name.

        Needs the permission `admin`.
        """
        return self._client.request_list("/api/staff/roles", query=query)

    def list_users(self, **query: Unpack[types.AuthListUsersQuery]) -> AsyncResults[types.User]:
        """List the users by name.

        Needs the permission `admin`.
        """
        return self._client.request_list("/api/staff/users", query=query)

    async def login(self, body: types.Login) -> types.LoggedIn:
        """Log in by username or e-mail address and password.

        Send the token of the answer as `Authorization: Bearer <token>`. It ends with the
        setting `masthead.auth.token_days`, with a change of the password, and when the user is
        disabled. If a second step is needed, the answer is 401 with `code` and `step`; send the
        login again with the code of that step.

        Needs no token.
        """
        return await self._client.request("POST", "/api/auth/login", body=body, public=True)

    async def logout(self) -> types.Success:
        """Log out: the client discards its token.

        The server keeps no list of tokens, so a copy of the token stays valid until it ends.

        Needs no token.
        """
        return await self._client.request("POST", "/api/auth/logout", public=True)

    async def remove_user(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a user; disable the user instead if any record refers to it.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/users/{part(id)}",
            if_match=if_match,
        )

    async def reset_password(self, body: types.PasswordReset) -> types.Success:
        """Set a new password with a mailed token.

        Needs no token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/reset-password",
            body=body,
            public=True,
        )

    async def show_profile(self) -> types.Profile:
        """Show the caller's profile.

        Needs a token.
        """
        return await self._client.request("GET", "/api/staff/profile")

    async def show_role(self, id: int) -> types.Role:
        """Show a role.

        Needs the permission `admin`.
        """
        return await self._client.request("GET", f"/api/staff/roles/{part(id)}")

    async def show_user(self, id: int) -> types.User:
        """Show a user.

        Needs the permission `admin`.
        """
        return await self._client.request("GET", f"/api/staff/users/{part(id)}")

    async def update_profile(
        self,
        body: types.ProfileUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Change the caller's profile or password.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request("PUT", "/api/staff/profile", body=body, if_match=if_match)

    async def update_role(
        self,
        id: int,
        body: types.RoleUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Role:
        """Change a role.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/roles/{part(id)}",
            body=body,
            if_match=if_match,
        )

    async def update_user(
        self,
        id: int,
        body: types.UserUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.User:
        """Change a user.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/users/{part(id)}",
            body=body,
            if_match=if_match,
        )


class Changes(AsyncGroup):
    """The operations ``changes``."""

    async def list(self, **query: Unpack[types.ChangesListQuery]) -> types.Changes:
        """List what became visible, changed, moved or vanished since a cursor.

        A website or an app asks again and again with the last cursor and stays complete: no
        change is missed or repeated.

        Needs no token.
        """
        return await self._client.request("GET", "/api/changes", query=query, public=True)


class Comments(AsyncGroup):
    """The operations ``comments``."""

    async def create(
        self,
        type: str,
        id: int,
        body: types.CommentCreate,
        *,
        idempotency_key: str | None = None,
    ) -> types.Comment:
        """Write a comment beside an item, and notify the mentioned users.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/comments/{part(type)}/{part(id)}",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete(
        self,
        type: str,
        id: int,
        comment_id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Delete your own comment; administrators can delete any.

        Needs a token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/comments/{part(type)}/{part(id)}/{part(comment_id)}",
            if_match=if_match,
        )

    def list(
        self,
        type: str,
        id: int,
        **query: Unpack[types.CommentsListQuery],
    ) -> AsyncResults[types.Comment]:
        """List the comments of staff beside an item, the oldest first.

        Needs a token.
        """
        return self._client.request_list(
            f"/api/staff/comments/{part(type)}/{part(id)}",
            query=query,
        )

    async def resolve(
        self,
        type: str,
        id: int,
        comment_id: int,
        body: types.CommentResolution,
        *,
        idempotency_key: str | None = None,
    ) -> types.Comment:
        """Mark a comment as resolved, or as open again.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/comments/{part(type)}/{part(id)}/{part(comment_id)}/resolve",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, type: str, id: int, comment_id: int) -> types.Comment:
        """Show a comment beside an item.

        Needs a token.
        """
        return await self._client.request(
            "GET",
            f"/api/staff/comments/{part(type)}/{part(id)}/{part(comment_id)}",
        )

    async def update(
        self,
        type: str,
        id: int,
        comment_id: int,
        body: types.CommentUpdate,
        *,
        if_match: Revision | None = None,
    ) -> types.Comment:
        """Change the text of your own comment.

        Needs a token.
        """
        return await self._client.request(
            "PUT",
            f"/api/staff/comments/{part(type)}/{part(id)}/{part(comment_id)}",
            body=body,
            if_match=if_match,
        )


class Contact(AsyncGroup):
    """The operations ``contact``."""

    async def send(self, body: types.ContactForm) -> types.Received:
        """Send a message to the organisation.

        Needs no token.
        """
        return await self._client.request("POST", "/api/contact", body=body, public=True)


class Core(AsyncGroup):
    """The operations ``core``."""

    async def healthz(self) -> types.Health:
        """Check whether the process answers.

        Needs no token.
        """
        return await self._client.request("GET", "/healthz", public=True)

    async def openapi(self) -> dict[str, Any]:
        """Return this document.

        Needs no token.
        """
        return await self._client.request("GET", "/openapi.json", public=True)

    async def readyz(self) -> types.Readiness:
        """Check whether the instance is ready to serve.

        Needs no token.
        """
        return await self._client.request("GET", "/readyz", public=True)

    async def root(self) -> types.Root:
        """Tell programs and people where the documentation is.

        The header ``Link`` has the addresses as well (RFC 8631). Browsers get a page.

        Needs no token.
        """
        return await self._client.request("GET", "/", public=True)

    async def status(self, **query: Unpack[types.CoreStatusQuery]) -> types.Status:
        """Show the result of each check, also of those that don't concern requests, such as
        mail.

        Failed checks have a remedy as well.

        Needs the permission `admin`, or the token of `masthead.status.token`.
        """
        return await self._client.request("GET", "/status", query=query)


class Doctor(AsyncGroup):
    """The operations ``doctor``."""

    async def status(self, **query: Unpack[types.DoctorStatusQuery]) -> types.Status:
        """Show `GET /status` to a caller who proves to know the secrets.

        Needs no token.
        """
        return await self._client.request("GET", "/api/doctor/status", query=query, public=True)

    async def visitor(self, **query: Unpack[types.DoctorVisitorQuery]) -> types.Visitor:
        """Show the address and the scheme of the caller, who proves to know the secrets.

        Needs no token.
        """
        return await self._client.request("GET", "/api/doctor/visitor", query=query, public=True)


class Email(AsyncGroup):
    """The operations ``email``."""

    async def webhook(self, provider: str, body: Any) -> types.Success:
        """Receive events of an e-mail delivery service, which authenticates itself by its
        secret.

        Needs no token.
        """
        return await self._client.request(
            "POST",
            f"/api/email/webhooks/{part(provider)}",
            body=body,
            public=True,
        )


class Events(AsyncGroup):
    """The operations ``events``."""

    async def calendar(self) -> bytes:
        """Show published events as an iCalendar.

        Needs no token.
        """
        return await self._client.request_bytes("GET", "/api/feed/events.ics", public=True)

    def list(self, **query: Unpack[types.EventsListQuery]) -> AsyncResults[types.EventSummary]:
        """List published events.

        A page at a time, without drafts and items that are to appear later.

        Needs no token.
        """
        return self._client.request_list("/api/events", query=query, public=True)

    def related(
        self,
        id: int,
        **query: Unpack[types.EventsRelatedQuery],
    ) -> AsyncResults[types.EventRelated]:
        """List events related to another one.

        By default three published items at most, those with the most shared tags first.

        Needs no token.
        """
        return self._client.request_list(
            f"/api/events/{part(id)}/related",
            query=query,
            public=True,
        )

    async def show(self, slug: str, **query: Unpack[types.EventsShowQuery]) -> types.Event:
        """Show a published event.

        404 for a draft, and before the time at which the item is to appear.

        Needs no token.
        """
        return await self._client.request(
            "GET",
            f"/api/events/{part(slug)}",
            query=query,
            public=True,
        )


class Feeds(AsyncGroup):
    """The operations ``feeds``."""

    @property
    def rss(self) -> FeedsRss:
        """The operations ``feeds.rss``."""
        return FeedsRss(self._client)

    async def robots(self) -> bytes:
        """Show the rules for crawlers.

        Needs no token.
        """
        return await self._client.request_bytes("GET", "/robots.txt", public=True)

    async def sitemap(self) -> bytes:
        """Show the sitemap, or the index of its parts.

        Needs no token.
        """
        return await self._client.request_bytes("GET", "/sitemap.xml", public=True)

    async def sitemap_part(self, id: int) -> bytes:
        """Show a part of a long sitemap.

        Needs no token.
        """
        return await self._client.request_bytes("GET", f"/sitemap-{part(id)}.xml", public=True)


class Images(AsyncGroup):
    """The operations ``images``."""

    async def show(
        self,
        prefix: str,
        filename: str,
        **query: Unpack[types.ImagesShowQuery],
    ) -> bytes:
        """Show an image in its own width or the requested one, or redirect to it in the
        storage.

        The answer never changes, so that browsers and caches may keep it. Ranges are supported.

        Needs no token.
        """
        return await self._client.request_bytes(
            "GET",
            f"/api/images/{part(prefix)}/{part(filename)}",
            query=query,
            public=True,
        )

    async def submit(
        self,
        file: File,
        *,
        progress: Progress | None = None,
        form: types.ImagesSubmitForm | None = None,
    ) -> types.SubmittedImage:
        """Upload an image for the proposal of an action.

        Needs no token.
        """
        return await self._client.request_upload(
            "/api/ycs/upload/image",
            file,
            progress=progress,
            form=form,
            public=True,
        )


class LiveEvents(AsyncGroup):
    """The operations ``live_events``."""

    def stream(
        self,
        **query: Unpack[types.LiveEventsStreamQuery],
    ) -> AsyncGenerator[LiveEvent, None]:
        """Follow your notifications, and the changes of items and content types, as events.

        Needs a token.
        """
        return self._client.request_events("/api/staff/live-events", query=query)


class Navigation(AsyncGroup):
    """The operations ``navigation``."""

    def list(
        self,
        **query: Unpack[types.NavigationListQuery],
    ) -> AsyncResults[types.NavigationItem]:
        """List the navigation, each folder with its entries.

        Needs no token.
        """
        return self._client.request_list("/api/navigation", query=query, public=True)


class News(AsyncGroup):
    """The operations ``news``."""

    def list(
        self,
        **query: Unpack[types.NewsListQuery],
    ) -> AsyncResults[types.NewsArticleSummary]:
        """List published news articles.

        A page at a time, without drafts and items that are to appear later.

        Needs no token.
        """
        return self._client.request_list("/api/news", query=query, public=True)

    def related(
        self,
        id: int,
        **query: Unpack[types.NewsRelatedQuery],
    ) -> AsyncResults[types.NewsArticleRelated]:
        """List news articles related to another one.

        By default three published items at most, those with the most shared tags first.

        Needs no token.
        """
        return self._client.request_list(f"/api/news/{part(id)}/related", query=query, public=True)

    async def show(self, slug: str, **query: Unpack[types.NewsShowQuery]) -> types.NewsArticle:
        """Show a published news article.

        404 for a draft, and before the time at which the item is to appear.

        Needs no token.
        """
        return await self._client.request(
            "GET",
            f"/api/news/{part(slug)}",
            query=query,
            public=True,
        )


class Newsletter(AsyncGroup):
    """The operations ``newsletter``."""

    async def subscribe(self, body: types.SubscriptionForm) -> types.Received:
        """Subscribe to the newsletter.

        The response doesn't reveal whether the address was subscribed before.

        Needs no token.
        """
        return await self._client.request(
            "POST",
            "/api/newsletter/subscribe",
            body=body,
            public=True,
        )

    async def unsubscribe(self, body: types.UnsubscriptionForm) -> types.Received:
        """Unsubscribe from the newsletter.

        The response doesn't reveal whether the address was subscribed before.

        Needs no token.
        """
        return await self._client.request(
            "POST",
            "/api/newsletter/unsubscribe",
            body=body,
            public=True,
        )


class Newsletters(AsyncGroup):
    """The operations ``newsletters``."""

    def list(
        self,
        **query: Unpack[types.NewslettersListQuery],
    ) -> AsyncResults[types.ArchivedNewsletterSummary]:
        """List the newsletters of the archive, newest first.

        Needs no token.
        """
        return self._client.request_list("/api/newsletters", query=query, public=True)

    async def show(self, id: int) -> types.ArchivedNewsletter:
        """Show a newsletter of the archive, with HTML that is safe within a page.

        Needs no token.
        """
        return await self._client.request("GET", f"/api/newsletters/{part(id)}", public=True)


class Notifications(AsyncGroup):
    """The operations ``notifications``."""

    async def delete(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete one of your notifications.

        Needs a token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/notifications/{part(id)}",
            if_match=if_match,
        )

    def list(
        self,
        **query: Unpack[types.NotificationsListQuery],
    ) -> AsyncResults[types.Notification]:
        """List your notifications, newest first.

        Needs a token.
        """
        return self._client.request_list("/api/staff/notifications", query=query)

    async def read(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Mark one of your notifications as read.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/notifications/{part(id)}/read",
            idempotency_key=idempotency_key or new_key(),
        )

    async def read_all(self, *, idempotency_key: str | None = None) -> types.MarkedAsRead:
        """Mark all your notifications as read.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/notifications/read-all",
            idempotency_key=idempotency_key or new_key(),
        )


class Oidc(AsyncGroup):
    """The operations ``oidc``."""

    async def add_link(
        self,
        body: types.NewSingleSignOnLink,
        *,
        idempotency_key: str | None = None,
    ) -> types.SingleSignOnLink:
        """Link a person at a provider to a user, who can then log in there.

        Needs the permission `admin`.
        """
        return await self._client.request(
            "POST",
            "/api/staff/oidc/links",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def begin_link(
        self,
        body: types.SingleSignOnLinking,
        *,
        idempotency_key: str | None = None,
    ) -> types.SingleSignOnLinkingAddress:
        """Begin to link a person at a provider to yourself.

        Open the address in the window. The browser returns as from a login; send the ticket to
        `POST /api/auth/oidc/links`. If a login by the password needs a second step, the answer
        is 400 with `code` and `step`, as the 401 of the login; send the same with the code of
        the step.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/oidc/links/begin",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def delete_link(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete a link, which ends the login tokens of the user.

        Needs the permission `admin`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/oidc/links/{part(id)}",
            if_match=if_match,
        )

    async def link_person(
        self,
        body: types.SingleSignOnLinkTicket,
        *,
        idempotency_key: str | None = None,
    ) -> types.SingleSignOnLink:
        """Link the person of a ticket to yourself; you can then log in there.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/oidc/links",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def list_links(
        self,
        **query: Unpack[types.OidcListLinksQuery],
    ) -> AsyncResults[types.SingleSignOnLink]:
        """List the persons at providers who are users, newest first.

        Needs the permission `admin`.
        """
        return self._client.request_list("/api/staff/oidc/links", query=query)

    def list_own_links(
        self,
        **query: Unpack[types.OidcListOwnLinksQuery],
    ) -> AsyncResults[types.SingleSignOnLink]:
        """List the persons at providers who you are, newest first.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return self._client.request_list("/api/auth/oidc/links", query=query)

    async def logout(
        self,
        body: types.SingleSignOnLogout,
        *,
        idempotency_key: str | None = None,
    ) -> types.SingleSignOnLoggedOut:
        """Log out at the provider: the client discards its token, and opens the address.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/oidc/logout",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def status(self) -> types.SingleSignOn:
        """Show whether staff can log in at a provider, for a page with a login form.

        Needs no token.
        """
        return await self._client.request("GET", "/api/auth/oidc", public=True)

    async def token(self, body: types.SingleSignOnTicket) -> types.LoggedIn:
        """Exchange the ticket of a login at the provider for a login token.

        If a second step is needed, the answer is 401 with `code` and `step`, as of a login by
        password; send the ticket again with the code. The answer is 403 with `code` if the
        person gets no token: `not_linked`, `already_linked`, `not_creatable`, `disabled` or
        `no_administrator`.

        Needs no token.
        """
        return await self._client.request("POST", "/api/auth/oidc/token", body=body, public=True)

    async def unlink_person(
        self,
        id: int,
        *,
        if_match: Revision | None = None,
    ) -> types.Success:
        """Delete a link of yours, unless it is your only way to log in; your other tokens end.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "DELETE",
            f"/api/auth/oidc/links/{part(id)}",
            if_match=if_match,
        )


class Pages(AsyncGroup):
    """The operations ``pages``."""

    async def show(self, slug: str, **query: Unpack[types.PagesShowQuery]) -> types.Page:
        """Show a published page.

        404 for an item that doesn't exist or isn't public.

        Needs no token.
        """
        return await self._client.request(
            "GET",
            f"/api/pages/{part(slug)}",
            query=query,
            public=True,
        )


class People(AsyncGroup):
    """The operations ``people``."""

    def list(self, **query: Unpack[types.PeopleListQuery]) -> AsyncResults[types.Person]:
        """List the published people.

        A page at a time.

        Needs no token.
        """
        return self._client.request_list("/api/people", query=query, public=True)


class Preview(AsyncGroup):
    """The operations ``preview``."""

    async def open(self, body: types.PreviewToken) -> types.OpenedPreview:
        """Show an item to the holder of a preview link.

        A page of the website sends the token of its own address. The answer has the draft or
        the staged edits of the item. 404 for a token that is wrong, expired, revoked or used.

        Needs no token.
        """
        return await self._client.request("POST", "/api/preview", body=body, public=True)


class Proposals(AsyncGroup):
    """The operations ``proposals``."""

    async def submit(self, body: types.ProposalForm) -> types.ProposalReceived:
        """Propose an action.

        Needs no token.
        """
        return await self._client.request("POST", "/api/ycs/submit-action", body=body, public=True)


class Redirects(AsyncGroup):
    """The operations ``redirects``."""

    def list(self, **query: Unpack[types.RedirectsListQuery]) -> AsyncResults[types.Redirect]:
        """List the redirects from former paths of the website.

        Needs no token.
        """
        return self._client.request_list("/api/redirects", query=query, public=True)


class Schedule(AsyncGroup):
    """The operations ``schedule``."""

    def list(
        self,
        **query: Unpack[types.ScheduleListQuery],
    ) -> AsyncResults[types.ScheduledChange]:
        """List the changes that happen by themselves, by time.

        Items appear and vanish, staged edits go live, newsletters are sent. It lists the types
        that the caller may read, and also items that aren't approved.

        Needs a token.
        """
        return self._client.request_list("/api/staff/schedule", query=query)


class Search(AsyncGroup):
    """The operations ``search``."""

    async def list(self, **query: Unpack[types.SearchListQuery]) -> types.SearchResults:
        """Search published content of all types.

        The best hits first, each with a part of its text, and the number of hits of each type.

        Needs no token.
        """
        return await self._client.request("GET", "/api/search", query=query, public=True)


class Site(AsyncGroup):
    """The operations ``site``."""

    async def show(self) -> types.Site:
        """Show the organisation, the images at fixed places, and the navigation.

        Needs no token.
        """
        return await self._client.request("GET", "/api/site", public=True)


class Staff(AsyncGroup):
    """The operations ``staff``."""

    @property
    def about(self) -> StaffAbout:
        """The operations ``staff.about``."""
        return StaffAbout(self._client)

    @property
    def actions(self) -> StaffActions:
        """The operations ``staff.actions``."""
        return StaffActions(self._client)

    @property
    def changes(self) -> StaffChanges:
        """The operations ``staff.changes``."""
        return StaffChanges(self._client)

    @property
    def compose_emails(self) -> StaffComposeEmails:
        """The operations ``staff.compose_emails``."""
        return StaffComposeEmails(self._client)

    @property
    def contact_import_mappings(self) -> StaffContactImportMappings:
        """The operations ``staff.contact_import_mappings``."""
        return StaffContactImportMappings(self._client)

    @property
    def contact_messages(self) -> StaffContactMessages:
        """The operations ``staff.contact_messages``."""
        return StaffContactMessages(self._client)

    @property
    def contacts(self) -> StaffContacts:
        """The operations ``staff.contacts``."""
        return StaffContacts(self._client)

    @property
    def email_templates(self) -> StaffEmailTemplates:
        """The operations ``staff.email_templates``."""
        return StaffEmailTemplates(self._client)

    @property
    def events(self) -> StaffEvents:
        """The operations ``staff.events``."""
        return StaffEvents(self._client)

    @property
    def follow_up_rules(self) -> StaffFollowUpRules:
        """The operations ``staff.follow_up_rules``."""
        return StaffFollowUpRules(self._client)

    @property
    def follow_ups(self) -> StaffFollowUps:
        """The operations ``staff.follow_ups``."""
        return StaffFollowUps(self._client)

    @property
    def images(self) -> StaffImages:
        """The operations ``staff.images``."""
        return StaffImages(self._client)

    @property
    def navigation(self) -> StaffNavigation:
        """The operations ``staff.navigation``."""
        return StaffNavigation(self._client)

    @property
    def news(self) -> StaffNews:
        """The operations ``staff.news``."""
        return StaffNews(self._client)

    @property
    def newsletter_subscribers(self) -> StaffNewsletterSubscribers:
        """The operations ``staff.newsletter_subscribers``."""
        return StaffNewsletterSubscribers(self._client)

    @property
    def newsletters(self) -> StaffNewsletters:
        """The operations ``staff.newsletters``."""
        return StaffNewsletters(self._client)

    @property
    def pages(self) -> StaffPages:
        """The operations ``staff.pages``."""
        return StaffPages(self._client)

    @property
    def people(self) -> StaffPeople:
        """The operations ``staff.people``."""
        return StaffPeople(self._client)

    @property
    def progression_stages(self) -> StaffProgressionStages:
        """The operations ``staff.progression_stages``."""
        return StaffProgressionStages(self._client)

    @property
    def proposals(self) -> StaffProposals:
        """The operations ``staff.proposals``."""
        return StaffProposals(self._client)

    @property
    def site(self) -> StaffSite:
        """The operations ``staff.site``."""
        return StaffSite(self._client)

    @property
    def static_images(self) -> StaffStaticImages:
        """The operations ``staff.static_images``."""
        return StaffStaticImages(self._client)

    @property
    def suppressions(self) -> StaffSuppressions:
        """The operations ``staff.suppressions``."""
        return StaffSuppressions(self._client)

    @property
    def system(self) -> StaffSystem:
        """The operations ``staff.system``."""
        return StaffSystem(self._client)

    @property
    def tags(self) -> StaffTags:
        """The operations ``staff.tags``."""
        return StaffTags(self._client)

    @property
    def types(self) -> StaffTypes:
        """The operations ``staff.types``."""
        return StaffTypes(self._client)

    @property
    def values(self) -> StaffValues:
        """The operations ``staff.values``."""
        return StaffValues(self._client)

    @property
    def webhooks(self) -> StaffWebhooks:
        """The operations ``staff.webhooks``."""
        return StaffWebhooks(self._client)


class StaticImages(AsyncGroup):
    """The operations ``static_images``."""

    def list(
        self,
        **query: Unpack[types.StaticImagesListQuery],
    ) -> AsyncResults[types.StaticImage]:
        """List the static images.

        A page at a time.

        Needs no token.
        """
        return self._client.request_list("/api/static-images", query=query, public=True)

    async def show(
        self,
        name: str,
        **query: Unpack[types.StaticImagesShowQuery],
    ) -> types.StaticImage:
        """Show a static image.

        404 for an item that doesn't exist or isn't public.

        Needs no token.
        """
        return await self._client.request(
            "GET",
            f"/api/static-images/{part(name)}",
            query=query,
            public=True,
        )


class Tags(AsyncGroup):
    """The operations ``tags``."""

    def list(self, **query: Unpack[types.TagsListQuery]) -> AsyncResults[types.Tag]:
        """List all tags by name.

        Needs no token.
        """
        return self._client.request_list("/api/tags", query=query, public=True)


class Totp(AsyncGroup):
    """The operations ``totp``."""

    async def confirm(
        self,
        body: types.SecondStepCode,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Confirm the app by its first code: logins need a code from then on.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/totp/confirm",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def remove(
        self,
        body: types.SecondStepProof,
        *,
        idempotency_key: str | None = None,
    ) -> types.Success:
        """Remove the app: logins need no code from then on, unless a role needs one.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/totp/remove",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def renew_recovery_codes(
        self,
        body: types.SecondStepProof,
        *,
        idempotency_key: str | None = None,
    ) -> types.RecoveryCodes:
        """Replace the recovery codes.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/totp/recovery-codes",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def reset(self, id: int, *, idempotency_key: str | None = None) -> types.Success:
        """Remove the authenticator app and the recovery codes of a user who has lost both.

        Needs the permission `admin`. Only for a user who has logged in, not for a program with
        an API token.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/users/{part(id)}/totp/reset",
            idempotency_key=idempotency_key or new_key(),
        )

    async def set_up(
        self,
        body: types.SecondStepPassword,
        *,
        idempotency_key: str | None = None,
    ) -> types.SecondStepSetup:
        """Begin to set up an authenticator app.

        Show the address as a QR code and the recovery codes to keep, then confirm the app by
        its first code. Until then, logins need no code.

        Needs a token. Only for a user who has logged in, not for a program with an API token.
        """
        return await self._client.request(
            "POST",
            "/api/auth/totp",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    async def set_up_by_token(self, body: types.SecondStepToken) -> types.SecondStepSetup:
        """Begin to set up the app without which the user can't log in.

        The token is the `stepToken` of the answer to a login with the step `totp-setup`. Then
        send the login again with the first code of the app, which confirms it.

        Needs no token.
        """
        return await self._client.request("POST", "/api/auth/totp/setup", body=body, public=True)

    async def show(self) -> types.SecondStepState:
        """Show whether your logins need a code of an authenticator app.

        Needs a token.
        """
        return await self._client.request("GET", "/api/auth/totp")


class Trash(AsyncGroup):
    """The operations ``trash``."""

    async def bulk(
        self,
        body: types.TrashOperation,
        *,
        idempotency_key: str | None = None,
    ) -> types.BulkResult:
        """Restore or purge many items in the trash.

        Each item is judged for itself: one that can't be restored or purged is in `failed`.
        Purging needs the permission `trash.purge`.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            "/api/staff/trash/bulk",
            body=body,
            idempotency_key=idempotency_key or new_key(),
        )

    def list(
        self,
        **query: Unpack[types.TrashListQuery],
    ) -> AsyncResults[types.TrashedItemSummary]:
        """List the deleted items that you may read, the last deleted first.

        Administrators also see the items of plugins that are disabled now.

        Needs a token.
        """
        return self._client.request_list("/api/staff/trash", query=query)

    async def purge(self, id: int, *, if_match: Revision | None = None) -> types.Success:
        """Delete an item in the trash for good.

        Nothing brings it back. It also needs the permission to change items of its kind.

        Needs the permission `trash.purge`.
        """
        return await self._client.request(
            "DELETE",
            f"/api/staff/trash/{part(id)}",
            if_match=if_match,
        )

    async def restore(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> types.RestoredItem:
        """Restore a deleted item, unpublished.

        It needs the permission to change items of its kind. The item has its former id, tags
        and state of approval, but a request for approval has ended. Its slug gets a number if
        another item has it now. The answer names the values that don't fit any more.

        Needs a token.
        """
        return await self._client.request(
            "POST",
            f"/api/staff/trash/{part(id)}/restore",
            idempotency_key=idempotency_key or new_key(),
        )

    async def show(self, id: int) -> types.TrashedItem:
        """Show a deleted item with its values.

        It needs the permission to read items of its kind.

        Needs a token.
        """
        return await self._client.request("GET", f"/api/staff/trash/{part(id)}")


class AsyncClient(AsyncBaseClient):
    """A client with all operations of an instance."""

    @property
    def about(self) -> About:
        """The operations ``about``."""
        return About(self)

    @property
    def actions(self) -> Actions:
        """The operations ``actions``."""
        return Actions(self)

    @property
    def api_tokens(self) -> ApiTokens:
        """The operations ``api_tokens``."""
        return ApiTokens(self)

    @property
    def approval(self) -> Approval:
        """The operations ``approval``."""
        return Approval(self)

    @property
    def approval_config(self) -> ApprovalConfig:
        """The operations ``approval_config``."""
        return ApprovalConfig(self)

    @property
    def approval_reviewers(self) -> ApprovalReviewers:
        """The operations ``approval_reviewers``."""
        return ApprovalReviewers(self)

    @property
    def audit(self) -> Audit:
        """The operations ``audit``."""
        return Audit(self)

    @property
    def auth(self) -> Auth:
        """The operations ``auth``."""
        return Auth(self)

    @property
    def changes(self) -> Changes:
        """The operations ``changes``."""
        return Changes(self)

    @property
    def comments(self) -> Comments:
        """The operations ``comments``."""
        return Comments(self)

    @property
    def contact(self) -> Contact:
        """The operations ``contact``."""
        return Contact(self)

    @property
    def core(self) -> Core:
        """The operations ``core``."""
        return Core(self)

    @property
    def doctor(self) -> Doctor:
        """The operations ``doctor``."""
        return Doctor(self)

    @property
    def email(self) -> Email:
        """The operations ``email``."""
        return Email(self)

    @property
    def events(self) -> Events:
        """The operations ``events``."""
        return Events(self)

    @property
    def feeds(self) -> Feeds:
        """The operations ``feeds``."""
        return Feeds(self)

    @property
    def images(self) -> Images:
        """The operations ``images``."""
        return Images(self)

    @property
    def live_events(self) -> LiveEvents:
        """The operations ``live_events``."""
        return LiveEvents(self)

    @property
    def navigation(self) -> Navigation:
        """The operations ``navigation``."""
        return Navigation(self)

    @property
    def news(self) -> News:
        """The operations ``news``."""
        return News(self)

    @property
    def newsletter(self) -> Newsletter:
        """The operations ``newsletter``."""
        return Newsletter(self)

    @property
    def newsletters(self) -> Newsletters:
        """The operations ``newsletters``."""
        return Newsletters(self)

    @property
    def notifications(self) -> Notifications:
        """The operations ``notifications``."""
        return Notifications(self)

    @property
    def oidc(self) -> Oidc:
        """The operations ``oidc``."""
        return Oidc(self)

    @property
    def pages(self) -> Pages:
        """The operations ``pages``."""
        return Pages(self)

    @property
    def people(self) -> People:
        """The operations ``people``."""
        return People(self)

    @property
    def preview(self) -> Preview:
        """The operations ``preview``."""
        return Preview(self)

    @property
    def proposals(self) -> Proposals:
        """The operations ``proposals``."""
        return Proposals(self)

    @property
    def redirects(self) -> Redirects:
        """The operations ``redirects``."""
        return Redirects(self)

    @property
    def schedule(self) -> Schedule:
        """The operations ``schedule``."""
        return Schedule(self)

    @property
    def search(self) -> Search:
        """The operations ``search``."""
        return Search(self)

    @property
    def site(self) -> Site:
        """The operations ``site``."""
        return Site(self)

    @property
    def staff(self) -> Staff:
        """The operations ``staff``."""
        return Staff(self)

    @property
    def static_images(self) -> StaticImages:
        """The operations ``static_images``."""
        return StaticImages(self)

    @property
    def tags(self) -> Tags:
        """The operations ``tags``."""
        return Tags(self)

    @property
    def totp(self) -> Totp:
        """The operations ``totp``."""
        return Totp(self)

    @property
    def trash(self) -> Trash:
        """The operations ``trash``."""
        return Trash(self)
