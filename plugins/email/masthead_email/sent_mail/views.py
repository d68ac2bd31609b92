"""The endpoints with which staff follow and control the delivery of sent mail."""

from __future__ import annotations

from typing import Any

from masthead import MOST_ROWS, SUCCESS, Endpoint, ListOf, Object, Page, Request
from masthead_email.permissions import ADDRESSES
from masthead_email.sent_mail import schemas, services
from masthead_email.sent_mail.source import Source


class SentMailViews:
    """The views of one kind of mail."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def show_deliveries(self, request: Request) -> dict[str, Any]:
        """Return the report of the deliveries."""
        item_id = request.matchdict["id"]
        return services.deliveries(request.db, self.source, item_id, request.identity)

    def list_recipients(self, request: Request) -> Page:
        """Return a page of the recipients."""
        item_id = request.matchdict["id"]
        return services.recipients(request.db, self.source, item_id, request.window, request.query)

    def pause(self, request: Request) -> dict[str, bool]:
        """Pause the delivery."""
        services.pause(request.db, self.source, request.matchdict["id"], request.identity.id)
        return {"success": True}

    def resume(self, request: Request) -> dict[str, bool]:
        """Resume the delivery."""
        services.resume(request.db, self.source, request.matchdict["id"], request.identity.id)
        return {"success": True}

    def cancel(self, request: Request) -> dict[str, bool]:
        """Cancel the delivery."""
        services.cancel(request.db, self.source, request.matchdict["id"], request.identity.id)
        return {"success": True}

    def retry(self, request: Request) -> dict[str, Any]:
        """Queue failed deliveries again."""
        item_id = request.matchdict["id"]
        done = services.retry(request.db, self.source, item_id, request.data, request.identity.id)
        return {"success": True, **done}

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints."""
        it, label = self.source.resource, self.source.label
        further = {ADDRESSES} - {it.read_permission}
        writing: dict[str, Any] = {"also_needs": it.also_needs, "refuses": frozenset({400})}
        return [
            self._endpoint(
                "deliveries",
                "GET",
                self.show_deliveries,
                f"Show the state of {label}, count its deliveries, and list the failures",
                permission=it.read_permission,
                returns=schemas.DELIVERIES,
            ),
            self._endpoint(
                "recipients",
                "GET",
                self.list_recipients,
                f"List the recipients of {label} with the state of each delivery",
                permission=it.read_permission,
                also_needs=tuple(further),
                query=schemas.RECIPIENTS_QUERY,
                page=MOST_ROWS,
                returns=ListOf(Object(schemas.RECIPIENT)),
            ),
            *(
                self._endpoint(
                    view.__name__,
                    "POST",
                    view,
                    f"{view.__name__.capitalize()} the delivery of {label}{more}",
                    permission=it.write_permission,
                    returns=SUCCESS,
                    **writing,
                )
                for view, more in (
                    (self.pause, ""),
                    (self.resume, ""),
                    (self.cancel, " permanently"),
                )
            ),
            self._endpoint(
                "retry",
                "POST",
                self.retry,
                f"Queue the failed deliveries of {label} again",
                permission=it.write_permission,
                body=schemas.RETRY,
                returns=schemas.RETRIED,
                **writing,
            ),
        ]

    def _endpoint(
        self, operation: str, method: str, view: Any, summary: str, **options: Any
    ) -> Endpoint:
        name = self.source.resource.name
        path = f"/api/staff/{self.source.resource.path}/{{id}}/{operation}"
        return Endpoint(
            name=f"staff.{name}.{operation}",
            method=method,
            path=path,
            view=view,
            summary=summary,
            **options,
        )
