"""The endpoints of previews."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from masthead.http.endpoints import Endpoint, View, endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.previews import schemas, services
from masthead.previews.models import Preview
from masthead.previews.rendering import Previewed, Previews
from masthead.previews.settings import preview_address
from masthead.schemas.field_types import Timestamp
from masthead.schemas.labels import one
from masthead.schemas.schema import SUCCESS


@endpoint(
    "POST",
    "/api/preview",
    name="preview.open",
    permission=PUBLIC,
    body=schemas.OPEN,
    returns=schemas.OPENED,
    refuses=frozenset({404}),
)
def open_preview(request: Request) -> bytes:
    """Show an item to the holder of a preview link.

    A page of the website sends the token of its own address. The answer has the draft or the staged
    edits of the item. 404 for a token that is wrong, expired, revoked or used.
    """
    query = dict(request.data)
    opened = services.open_link(request.instance, query.pop("token"), query)
    link = opened.link
    if link.once:
        services.use_up(request.db, link)
    request.response.headers["X-Robots-Tag"] = "noindex"
    expires = Timestamp().dump(link.expires_at)
    return dump_json({"type": link.kind, "expiresAt": expires, "item": opened.item})


class LinkViews:
    """The staff views of the preview links of one content type or resource."""

    def __init__(self, previewed: Previewed) -> None:
        self._previewed = previewed

    def create(self, request: Request) -> dict[str, Any]:
        """Make a preview link."""
        data = dict(request.data)
        options = services.Options(end_on_change=data.pop("endOnChange", False), **data)
        item = self._lock(request)
        link, token = services.make_link(
            request.db, self._previewed, item, options, request.identity
        )
        url = preview_address(request.instance.settings, token)
        return {**_described(link), "token": token, "url": url}

    def list_links(self, request: Request) -> Sequence[dict[str, Any]]:
        """Return the links of an item."""
        found = services.list_links(request.db, self._previewed, self._item_id(request))
        return [_described(each) for each in found]

    def revoke(self, request: Request) -> dict[str, Any]:
        """Revoke a link."""
        item, link_id = self._lock(request), request.matchdict["preview_id"]
        services.revoke_link(request.db, self._previewed, item, link_id, request.identity)
        return {"success": True}

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        return [
            self._endpoint(
                self._previewed.operation,
                "POST",
                self.create,
                self._previewed.create_at,
                summary="Make a preview link to {one}",
                description="Whoever has the link sees the item as the public would see it after"
                " its approval: the draft or the staged edits. Only this answer has the token.",
                body=schemas.CREATE,
                returns=schemas.CREATED,
            ),
            self._endpoint(
                "previews",
                "GET",
                self.list_links,
                "previews",
                summary="List the preview links to {one}",
                description="Those that haven't expired, the newest first.",
                returns=schemas.LINKS,
            ),
            self._endpoint(
                "revoke-preview",
                "DELETE",
                self.revoke,
                "previews/{preview_id}",
                summary="Revoke a preview link to {one}",
                description="Its token opens nothing from then on.",
                path_help={"preview_id": schemas.ID_HELP},
                returns=SUCCESS,
            ),
        ]

    def _endpoint(
        self, operation: str, method: str, view: View, path: str, *, summary: str, **options: Any
    ) -> Endpoint:
        it, item = self._previewed.kind, f"{{{self._previewed.placeholder}}}"
        reads = method == "GET"
        return Endpoint(
            name=f"staff.{it.name}.{operation}",
            method=method,
            path=f"/api/staff/{self._previewed.path}/{item}/{path}",
            view=view,
            permission=it.read_permission if reads else it.write_permission,
            also_needs=() if reads else it.also_needs,
            summary=summary.format(one=one(it)),
            **options,
        )

    def _item_id(self, request: Request) -> Any:
        return request.matchdict[self._previewed.placeholder]

    def _lock(self, request: Request) -> Any:
        return self._previewed.lock(request.db, self._item_id(request))


def preview_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of all content types and resources with previews."""
    kinds = instance.shared(Previews).kinds.values()
    own = [each for previewed in kinds for each in LinkViews(previewed).endpoints()]
    return [open_preview, *own] if own else []


def _described(link: Preview) -> dict[str, Any]:
    return {
        "id": link.id,
        "createdAt": link.created_at,
        "expiresAt": link.expires_at,
        "user": link.user,
        "once": link.once,
        "endOnChange": link.revision is not None,
        "note": link.note,
    }
