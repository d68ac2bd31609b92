"""Edits of the live copy of an item that has staged edits, which take over what they left alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from masthead.approval.services import may_edit_live
from masthead.auth.caller import Caller
from masthead.content.staging import live_values, staff_values, sync_unedited
from masthead.content.taglinks import TAG_IDS, tag_names_of
from masthead.errors import Forbidden, Invalid, ProblemCode, Refused, wrong_field
from masthead.history.approved import note_live_copy, note_live_edit
from masthead.history.merging import MERGE
from masthead.history.recording import record_live_save
from masthead.history.snapshots import Snapshot, State
from masthead.resources.callbacks import ItemSave
from masthead.schemas.field_types import Bool

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType

LIVE = "live"
_NOT_LIVE = "Your edits need an approval, so they can't go live at once"


class LiveFlag(Bool):
    """``true`` or ``false``; an object is ``false``, as clients send an answer back as it is.

    The answer to one item has the live values under the same name.
    """

    def parse(self, value: Any) -> bool:
        """Return the flag."""
        return not isinstance(value, dict) and super().parse(value)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a boolean or an object."""
        return {"type": ["boolean", "object"]}


class LiveEdit:
    """An edit of the live copy beside staged edits.

    :param item: the item before the edit.
    """

    def __init__(self, content_type: ContentType, item: Any) -> None:
        self._content_type = content_type
        self._before = live_values(content_type, item)
        self.shown = {f.name: getattr(item, f.attribute) for f in content_type.fields}
        """The live values by wire name."""

    def merge(
        self,
        session: Session,
        item: Any,
        shown: Mapping[str, Any],
        changed: Mapping[str, Any],
        caller: Caller | None,
    ) -> None:
        """Copy the changed live values to the staged edits, except to those that differed before.

        :param shown: the live values before the edit; with the tags if they were sent.
        :param changed: the new values.
        :raises Refused: if the staged edits would contradict them.
        """
        staged = staff_values(self._content_type, item)
        sync_unedited(self._content_type, item, self._before)
        if TAG_IDS in changed and item.staged[TAG_IDS] == shown[TAG_IDS]:
            item.staged = item.staged | {TAG_IDS: changed[TAG_IDS]}
        try:
            save = ItemSave(item, staged, staff_values(self._content_type, item), caller)
            self._content_type.check_save(session, save)
        except Invalid as error:
            raise Refused(f"The staged edit would contradict it: {error.message}") from error

    def record(
        self,
        session: Session,
        item: Any,
        before: State | None,
        caller: Caller | None,
        changed: Collection[str],
    ) -> None:
        """Record the revisions of both copies, and that the live one is approved."""
        kept = self._content_type
        [live] = kept.live_snapshots(session, [item])
        names = {str(tag): name for tag, name in tag_names_of(session, kept, item.id).items()}
        named = Snapshot(live.values, {TAG_IDS: names} if names else {})
        saved = record_live_save(session, kept, item, before, named, caller, changed)
        note_live_copy(session, kept, item, saved and saved.live)
        note_live_edit(session, kept, item, saved and saved.staged, changed)


def begin_live_edit(
    session: Session,
    content_type: ContentType,
    item: Any,
    sent: Mapping[str, Any],
    caller: Caller | None,
) -> LiveEdit | None:
    """Return the edit if an update asks for one and the locked item has staged edits.

    :raises Invalid: for an update that is to be staged, too, or merged with what staff see.
    :raises Forbidden: if the caller's edits need an approval.
    """
    if not sent.get(LIVE, False):
        return None
    for other in ("stage", MERGE):
        if sent.get(other, False):
            raise wrong_field(LIVE, ProblemCode.CONFLICTING, f"Contradicts {other}")
    if not may_edit_live(session, content_type, caller):
        raise Forbidden(_NOT_LIVE)
    return None if item.staged is None else LiveEdit(content_type, item)
