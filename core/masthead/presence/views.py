"""The endpoints of presence."""

from __future__ import annotations

from typing import Any

from masthead.content.contenttype import ContentType, content_types_of
from masthead.http.endpoints import Endpoint, View
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.instance import Instance
from masthead.presence import schemas, services
from masthead.resources.declaration import Resource
from masthead.resources.services import get_item
from masthead.schemas.labels import one
from masthead.schemas.schema import SUCCESS


class PresenceViews:
    """The views of the presence of users at the items of one content type or resource."""

    def __init__(self, kind: ContentType | Resource) -> None:
        self._kind = kind
        self._path, self._placeholder = kind.name, "id"
        if isinstance(kind, Resource):
            self._path, self._placeholder = kind.path, kind.id_placeholder

    def show(self, request: Request) -> dict[str, Any]:
        """Return the others who have an item open."""
        return self._answer(request, self._find(request))

    def note(self, request: Request) -> dict[str, Any]:
        """Note that the caller has an item open, and return the others who have."""
        item, editing = self._compared(request), request.data.get("editing", False)
        services.note_presence(
            request.db, self._kind.name, item.id, request.identity, editing=editing
        )
        return self._answer(request, item)

    def leave(self, request: Request) -> dict[str, Any]:
        """Note that the caller has closed an item."""
        item = self._compared(request)
        services.forget_presence(request.db, self._kind.name, item.id, request.identity)
        return {"success": True}

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            self._endpoint(
                "presence",
                "GET",
                self.show,
                summary="List the others who have {one} open",
                description="The `ETag` is the item's.",
                returns=schemas.PRESENCE,
            ),
            self._endpoint(
                "enter",
                "PUT",
                self.note,
                summary="Say that you have {one} open, and learn who else has",
                description="Repeat it before `seconds` have passed, or else you count as gone."
                " The `ETag` is the item's; `If-Match` tells whether the item has changed.",
                body=schemas.OPEN,
                returns=schemas.PRESENCE,
            ),
            self._endpoint(
                "leave",
                "DELETE",
                self.leave,
                summary="Say that you have closed {one}",
                description="The others learn it at once.",
                returns=SUCCESS,
            ),
        ]

    def _endpoint(
        self, operation: str, method: str, view: View, *, summary: str, **options: Any
    ) -> Endpoint:
        it, reads = self._kind, method == "GET"
        return Endpoint(
            name=f"staff.{it.name}.{operation}",
            method=method,
            path=f"/api/staff/{self._path}/{{{self._placeholder}}}/presence",
            view=view,
            permission=it.read_permission if reads else it.write_permission,
            also_needs=() if reads else it.also_needs,
            summary=summary.format(one=one(it)),
            **options,
        )

    def _find(self, request: Request) -> Any:
        return get_item(request.db, self._kind, request.matchdict[self._placeholder])

    def _compared(self, request: Request) -> Any:
        """Return the item, which has the revision that the caller knows."""
        item = self._find(request)
        request.precondition.check(item.revision)
        return item

    def _answer(self, request: Request, item: Any) -> dict[str, Any]:
        others = services.list_others(request.db, self._kind.name, item.id, request.identity)
        tag_response(request, item.revision)
        shown = [{"user": o.user, "since": o.since, "editing": o.editing} for o in others]
        return {"others": shown, "seconds": request.instance.settings[services.SECONDS]}


def presence_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of all content types, and of the resources with revisions."""
    kept = [it for it in instance.resources.values() if it.keeps_revisions]
    kinds: list[ContentType | Resource] = [*content_types_of(instance), *kept]
    return [each for kind in kinds for each in PresenceViews(kind).endpoints()]
