"""The API by which plugins add their items to the demo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.services import move, publish_new
from masthead.approval.transitions import REQUEST
from masthead.auth.caller import Caller
from masthead.content import schemas as content_schemas
from masthead.content import services as content_services
from masthead.content.contenttype import ContentType
from masthead.content.taglinks import TAG_IDS
from masthead.instance import instance_of
from masthead.resources import schemas as resource_schemas
from masthead.resources import services as resource_services
from masthead.schemas.schema import bound, load
from masthead.tags.services import ensure_tags

TAGS = "tags"


@dataclass
class Demo:
    """Creates the demo's items; values have the form in which a client sends them."""

    session: Session
    """The session of the one transaction in which the demo is created."""
    now: datetime
    author: Caller
    """The creator of every item: a disabled user without a password."""
    approver: Caller
    """The user who approves the items, another one than the author."""
    pictures: dict[str, str] = field(default_factory=dict)
    """Addresses of images by subject: ``river``, ``garden``, ``workshop``, ``lanterns``, ``logo``,
    ``noor``, ``mateo``, ``salma``. Use ``get``: it is empty without a plugin that stores images."""
    _drafts: list[tuple[Approvable, int]] = field(default_factory=list)

    def at(self, days: int, hour: int = 0) -> str:
        """Return the time ``days`` after today at a full hour (UTC), as a client sends it."""
        today = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        return (today + timedelta(days=days, hours=hour)).isoformat()

    def publish(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Create items of a content type and have the approver approve them.

        :param name: the name of the content type.
        :param values: the values of each item by wire name; ``tags`` holds names instead of ids.
        :returns: the items.
        :raises Invalid: for values that the staff API would refuse.
        """
        content_type = self._content_type(name)
        items = self._create(content_type, list(values))
        publish_new(self.session, content_type, items, self.approver)
        return items

    def draft(self, name: str, values: Mapping[str, Any]) -> Any:
        """Create a draft of a content type; approval is requested for one draft of the demo.

        :param name: the name of the content type.
        :param values: the values by wire name; ``tags`` holds names instead of ids.
        :returns: the item.
        :raises Invalid: for values that the staff API would refuse.
        """
        content_type = self._content_type(name)
        [item] = self._create(content_type, [values])
        self._drafts.append((content_type, item.id))
        return item

    def keep(self, name: str, values: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Create items of a resource; items that need approval are drafts.

        :param name: the name of the resource.
        :param values: the values of each item by wire name.
        :returns: the items.
        :raises Invalid: for values that the staff API would refuse.
        """
        resource = instance_of(self.session).resources[name]
        body = resource_schemas.create_body(resource)
        bodies = [self.checked(body, each) for each in values]
        items = resource_services.create_items(self.session, resource, bodies, self.author)
        if resource.approval is not None:
            self._drafts += [(resource.approval, item.id) for item in items]
        return items

    def checked(self, body: colander.SchemaNode, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values as an endpoint with that body passes them to its view.

        :raises Invalid: for values that the endpoint would refuse.
        """
        return load(bound(body, instance_of(self.session).settings), values)

    def request_approval(self) -> None:
        """Request approval of one draft, so that a new instance has a pending approval."""
        for name in instance_of(self.session).content_types:
            for content_type, item_id in self._drafts:
                if content_type.name == name and self.author.may(content_type.write_permission):
                    move(self.session, content_type, item_id, REQUEST, self.author)
                    return

    def _content_type(self, name: str) -> ContentType:
        found = instance_of(self.session).content_types[name]
        assert isinstance(found, ContentType)
        return found

    def _create(self, content_type: ContentType, values: Sequence[Mapping[str, Any]]) -> list[Any]:
        names = dict.fromkeys(name for each in values for name in each.get(TAGS, ()))
        ids = ensure_tags(self.session, names)
        body = content_schemas.create_body(content_type)
        bodies = [
            self.checked(body, {**each, TAG_IDS: [ids[name] for name in each.get(TAGS, ())]})
            for each in values
        ]
        return content_services.create_items(self.session, content_type, bodies, self.author)
