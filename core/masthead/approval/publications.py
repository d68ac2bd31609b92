"""Publications: values that are about to become public, and the objections of plugins to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from masthead.auth.caller import Caller


class PublicationWay(StrEnum):
    """The ways by which values become public, or will without a further approval."""

    APPROVAL = "approval"
    """An approval, alone or in bulk, also by a command; each vote if several have to approve."""
    EDIT = "edit"
    """An edit of a public item, or of an edit that waits for its time, that needs no approval."""
    PUBLISHING = "publishing"
    """``published: true`` in an update, or the bulk operation ``publish``."""
    RESTORE = "restore"
    """Restoring a revision of a public item, without an approval."""
    CREATION = "creation"
    """The creation of an item of a resource that is public at once."""
    IMPORT = "import"
    """An import that publishes at once, and the demo."""
    OTHER = "other"
    """Code of a plugin that changes a public item by itself; asked just before the commit."""


@dataclass(frozen=True)
class PublishedImage:
    """An image in the values of a publication."""

    field: str
    """The path of the value: ``imageUrl``, ``content``, ``gallery.0.photo``."""
    address: str
    """The address or path, as it is in the value."""
    alt: str | None
    """The alternative text: that of the tag in HTML, else that of the stored image; None for none.
    A blank text in HTML marks an image without a meaning."""
    is_stored: bool
    """Whether a plugin stores the image; the text of others is known in HTML only."""


@dataclass(frozen=True)
class Publication:
    """The values of an item that are about to become public."""

    kind: str
    """The name of the content type or resource: ``news``, ``people``."""
    item_id: int | str
    """The id, also of an item that is new in this transaction."""
    title: str
    """The title as staff see it; blank if the item has none."""
    values: Mapping[str, Any]
    """The values of the public fields, as JSON values by wire name, and ``tagIds`` of content."""
    before: Mapping[str, Any] | None
    """The values that the public sees so far; None if it sees nothing, or if they aren't known
    because of the way ``other``."""
    since: datetime | None
    """The time at which the values become public; None for at once."""
    until: datetime | None
    """The time at which the item vanishes again; None for never."""
    images: tuple[PublishedImage, ...]
    way: PublicationWay
    caller: Caller | None
    """The user who publishes; None for a command, a job, and the way ``other``."""


@dataclass(frozen=True)
class Objection:
    """A reason why an item must not become public, as its editor reads it."""

    publication: Publication
    field: str
    """The wire name of the field, or a path such as ``gallery.0.photo``; blank for the item."""
    message: str
    """The reason, without the name of the field."""
