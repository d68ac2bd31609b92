"""Items as the public would see them after their approval.

An item is published in a transaction that is never committed, and read by the statements of public
answers. So a preview has each field, address and text that the public would get, and nothing of it
gets into caches, logs or lists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.services import lock_item
from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.public_choice import ChosenReading
from masthead.content.slugs import drop_taken_slug
from masthead.content.visibility import is_readable
from masthead.db import utcnow
from masthead.db.locking import lock_row
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.resources.kept import PUBLISHED
from masthead.resources.options import LinkPreview, PublicRoutes
from masthead.resources.public_reading import PublicReading

_INSTANT = timedelta(milliseconds=1)


class Previewed(ABC):
    """A content type or resource whose items have previews."""

    placeholder = "id"
    """The placeholder for an item's id in addresses."""
    operation = create_at = "preview"
    """The operation that makes links, and the end of its address."""

    def __init__(self, kind: ContentType | Resource, path: str) -> None:
        self.kind = kind
        self.path = path
        """The path below ``/api/staff/``."""

    @abstractmethod
    def lock(self, session: Session, item_id: int | str) -> Any:
        """Return an item, locked until the transaction ends.

        :raises NotFound: for a missing item.
        """

    @abstractmethod
    def render(self, session: Session, item: Any, query: Mapping[str, Any]) -> dict[str, Any]:
        """Publish an item and return the public answer; the caller rolls the transaction back.

        :param query: the parameters of a public answer.
        """


class PreviewedContent(Previewed):
    """A content type."""

    kind: ContentType

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        super().__init__(content_type, content_type.name)
        self._reading = ChosenReading(content_type, instance)

    def lock(self, session: Session, item_id: int | str) -> Any:
        """Return a locked item."""
        return lock_item(session, self.kind, int(item_id))

    def render(self, session: Session, item: Any, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the public answer with the staged edits, whatever its times are."""
        if item.staged is not None:
            drop_taken_slug(session, self.kind, item)
        item.published = True
        now = utcnow()
        self.kind.make_live(session, item, now)
        item.scheduled_publish_at = item.scheduled_unpublish_at = None
        session.flush()
        until = item.vanishes_at
        seen = until - _INSTANT if until is not None and not is_readable(item, now) else now
        return self._reading.one(session, item.slug, query, seen)[1]


class _PreviewedResource(Previewed):
    kind: Resource

    def __init__(self, resource: Resource) -> None:
        super().__init__(resource, resource.path)
        self.placeholder = resource.id_placeholder

    def lock(self, session: Session, item_id: int | str) -> Any:
        """Return a locked item."""
        key = item_id if self.kind.named else int(item_id)
        return lock_row(session, self.kind.model, key)


class PreviewedPublicResource(_PreviewedResource):
    """A resource that the public reads and whose items can be unpublished."""

    def __init__(self, resource: Resource, public: PublicRoutes, instance: Instance) -> None:
        super().__init__(resource)
        self._key = resource.attribute(public.by)
        self._reading = PublicReading(resource, public, instance)

    def render(self, session: Session, item: Any, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the public answer."""
        item.published = True
        session.flush()
        return self._reading.one(session, getattr(item, self._key), query)[1]


class PreviewedOwn(_PreviewedResource):
    """A resource that has a public answer of its own."""

    # Its own endpoint may be at ``preview``, such as one that shows staff what they write.
    operation, create_at = "preview-link", "previews"

    def __init__(self, resource: Resource, preview: LinkPreview) -> None:
        super().__init__(resource)
        self._preview = preview

    def render(self, session: Session, item: Any, _query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the public answer, which no parameter changes."""
        return dict(self._preview.render(session, item))


class Previews:
    """The content types and resources of an instance whose items have previews."""

    def __init__(self, instance: Instance) -> None:
        content = [PreviewedContent(it, instance) for it in content_types_of(instance)]
        resources = [it for it in instance.resources.values() if not it.person]
        public = [
            PreviewedPublicResource(it, it.public, instance)
            for it in resources
            if it.public is not None and PUBLISHED in it.columns and it.preview is None
        ]
        own = [PreviewedOwn(it, it.preview) for it in resources if it.preview is not None]
        self.kinds: Mapping[str, Previewed] = {
            each.kind.name: each for each in (*content, *public, *own)
        }
        """By name."""
