"""The staff endpoints of content types and resources: list, show, create, update and delete."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import colander
import orjson
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.history.merging import MERGE, MERGE_FIELD, Change, fit_change
from masthead.http.endpoints import Endpoint, View
from masthead.http.list_query import EMBED
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.http.wire import dump_json
from masthead.references.embedding import Embedding
from masthead.resources.options import CREATE, DELETE, LIST, SHOW, UPDATE
from masthead.resources.revision_views import Declaration, RevisedItems, RevisionViews
from masthead.resources.trashed import Trashable
from masthead.schemas.field_types import Str
from masthead.schemas.labels import many, one
from masthead.schemas.schema import SUCCESS, ListOf, Object, extended, optional, schema

MERGED = "merged"
SAVED = "Saved"
"""The end of the name of the answer to a change, which has all fields of the item."""
_MERGED = optional(
    ListOf(Str()),
    nullable=False,
    help="The fields that others have changed since the revision that the request names, if the"
    " change was merged.",
    example=["description"],
)

DUPLICATE = "duplicate"
_FINAL = "Nothing brings the item back."
"""The description of a delete of items that have no trash."""


@dataclass(frozen=True)
class Schemas:
    """The bodies, queries and answers of the staff endpoints."""

    listed: Object
    """An item of a list."""
    detail: Object
    """One item."""
    query: colander.SchemaNode
    """The query parameters of the list, without those of paging."""
    create: colander.SchemaNode
    """The body of a create."""
    update: colander.SchemaNode
    """The body of an update."""
    show: colander.SchemaNode | None = None
    """The query parameters of one item; None for none."""
    merged: Object | None = None
    """The answer to an update that can be merged; None for that of one item."""

    @property
    def saved(self) -> Object:
        """The answer to an update."""
        return self.merged or self.detail

    def embedding(self, embedding: Embedding) -> Schemas:
        """Return the schemas for answers that can embed items."""
        parameter, members = embedding.parameter(), embedding.members()
        if not parameter:
            return self
        listed, detail = (
            Object(extended(it.node, members, name=it.node.type_name, help=it.node.description))
            for it in (self.listed, self.detail)
        )
        query, show = extended(self.query, parameter), schema(parameter)
        return replace(self, listed=listed, detail=detail, query=query, show=show)

    def merging(self) -> Schemas:
        """Return the schemas for items whose changes can be merged."""
        update, node = self.update, self.detail.node
        body = extended(
            update, {MERGE: MERGE_FIELD}, name=update.type_name, help=update.description
        )
        name, meaning = (
            f"{node.type_name}{SAVED}",
            f"{node.description} This is the answer to a change.",
        )
        saved = Object(extended(node, {MERGED: _MERGED}, name=name, help=meaning))
        return replace(self, update=body, merged=saved)


class Declared(Declaration, Trashable, Protocol):
    """A content type or resource."""


class CrudViews(ABC):
    """The staff views of a content type or a resource; subclasses say how items are read and saved.

    An answer to one item carries the item's revision as its entity tag.
    """

    placeholder = "id"
    """The placeholder for an item's id in addresses."""
    summaries: Mapping[str, str] = {
        LIST: "List {many}",
        SHOW: "Show {one}",
        CREATE: "Create {one}",
        UPDATE: "Change {one}",
        DELETE: "Delete {one}",
        DUPLICATE: "Duplicate {one}",
    }
    """The summary of each operation, with places for the label in the singular and the plural."""
    descriptions: Mapping[str, str] = {
        LIST: "All items that match the filters, a page at a time.",
        SHOW: "The answer carries the revision of the item as its `ETag`.",
        CREATE: "The answer is the new item.",
        UPDATE: "Changes the fields that are sent and keeps the others. The answer is the item.",
        DELETE: "The item goes to the trash, from which it can be restored, unless the instance has"
        " none.",
        DUPLICATE: (
            "The answer is the new item. Its title says that it is a copy. It isn't public, and has"
            " neither the slug nor the schedule of the other item."
        ),
    }
    """The description of each operation."""
    delete_refuses: frozenset[int] = frozenset()
    """Further statuses of a delete."""

    def __init__(
        self,
        declaration: Declared,
        path: str,
        schemas: Schemas,
        embedding: Embedding,
        kept: Declaration | None = None,
    ) -> None:
        """Take the schemas.

        :param embedding: the items that answers can embed.
        :param kept: the declaration, if the items have revisions, so that changes can be merged.
        """
        self.declaration = declaration
        self.path = path
        self.kept = kept
        self.embedding = embedding
        schemas = schemas.embedding(embedding)
        self.schemas = schemas if kept is None else schemas.merging()

    @abstractmethod
    def list_items(self, request: Request) -> Page:
        """Return a page of the items."""

    @abstractmethod
    def _read(self, session: Session, item_id: Any, caller: Caller) -> tuple[Any, int]:
        """Return the answer to one item, and the item's revision."""

    @abstractmethod
    def _find(self, session: Session, item_id: Any) -> Any:
        """Return an item."""

    @abstractmethod
    def _lock(self, session: Session, item_id: Any) -> Any:
        """Return an item, locked until the transaction ends."""

    @abstractmethod
    def _create(self, session: Session, values: Mapping[str, Any], caller: Caller) -> Any:
        """Create an item from a checked body, and return it."""

    @abstractmethod
    def _update(
        self,
        session: Session,
        item: Any,
        values: Mapping[str, Any],
        caller: Caller,
        restored_from: int | None = None,
    ) -> None:
        """Change a locked item by a checked body, which may be the values of a revision."""

    @abstractmethod
    def _copy(self, session: Session, item: Any, caller: Caller) -> Any:
        """Create a copy of an item, and return it."""

    @abstractmethod
    def _delete(self, session: Session, item: Any, caller: Caller) -> None:
        """Delete a locked item."""

    def show(self, request: Request) -> Any:
        """Return one item."""
        answer = self._answer(request, request.matchdict[self.placeholder])
        if not request.query.get(EMBED):
            return answer
        is_json = isinstance(answer, bytes)
        item = orjson.loads(answer) if is_json else self.schemas.detail.dump(answer)
        self.embed(request, [item])
        return dump_json(item)

    def embed(self, request: Request, items: Sequence[dict[str, Any]]) -> None:
        """Add the embedded items that a request names to answers."""
        permissions = request.identity.permissions
        self.embedding.add(request.db, items, request.query, permissions)

    def create(self, request: Request) -> Any:
        """Create an item."""
        item = self._create(request.db, request.data, request.identity)
        return self._answer(request, item.id)

    def update(self, request: Request) -> Any:
        """Change an item."""
        item = self._lock(request.db, request.matchdict[self.placeholder])
        change = self._fit(request, item)
        self._update(request.db, item, change.values, request.identity)
        answer = self._answer(request, item.id)
        if change.others is None:
            return answer
        if isinstance(answer, bytes):
            return dump_json({**orjson.loads(answer), MERGED: change.others})
        return {**answer, MERGED: change.others}

    def delete(self, request: Request) -> Any:
        """Delete an item."""
        item = self._lock(request.db, request.matchdict[self.placeholder])
        request.precondition.check(item.revision)
        self._delete(request.db, item, request.identity)
        return {"success": True}

    def duplicate(self, request: Request) -> Any:
        """Create a copy of an item."""
        item = self._find(request.db, request.matchdict[self.placeholder])
        return self._answer(request, self._copy(request.db, item, request.identity).id)

    def _answer(self, request: Request, item_id: Any) -> Any:
        answer, revision = self._read(request.db, item_id, request.identity)
        tag_response(request, revision)
        return answer

    def _fit(self, request: Request, item: Any) -> Change:
        """Return the change of a locked item, which others may have changed meanwhile."""
        precondition = request.precondition
        if self.kept is not None:
            return fit_change(request.db, self.kept, item, precondition, request.data)
        precondition.check(item.revision)
        return Change(request.data)

    def endpoints(self) -> list[Endpoint]:
        """Return the staff endpoints."""
        schemas, one = self.schemas, f"/{{{self.placeholder}}}"
        listed = ListOf(schemas.listed)
        return [
            self.endpoint(
                LIST, "GET", self.list_items, returns=listed, query=schemas.query, page=MOST_ROWS
            ),
            self.endpoint(SHOW, "GET", self.show, one, returns=schemas.detail, query=schemas.show),
            self.endpoint(CREATE, "POST", self.create, returns=schemas.detail, body=schemas.create),
            self.endpoint(
                UPDATE, "PUT", self.update, one, returns=schemas.saved, body=schemas.update
            ),
            self.endpoint(DELETE, "DELETE", self.delete, one, returns=SUCCESS),
        ]

    def duplicate_endpoint(self) -> Endpoint:
        """Return the endpoint that creates a copy of an item."""
        path, detail = f"/{{{self.placeholder}}}/duplicate", self.schemas.detail
        return self.endpoint(DUPLICATE, "POST", self.duplicate, path, returns=detail)

    def revision_endpoints(self, kept: Declaration) -> list[Endpoint]:
        """Return the endpoints of the revisions of items."""
        items = RevisedItems(
            kept,
            path=f"/api/staff/{self.path}/{{{self.placeholder}}}",
            placeholder=self.placeholder,
            body=self.schemas.update,
            find=self._find,
            lock=self._lock,
            save=self._update,
        )
        return RevisionViews(items).endpoints()

    def endpoint(
        self, operation: str, method: str, view: View, path: str = "", **options: Any
    ) -> Endpoint:
        """Return the endpoint of an operation.

        :param path: the rest of the address, below the path of the list.
        :param options: further options of the endpoint.
        """
        it, reads = self.declaration, method == "GET"
        is_final = operation == DELETE and not it.trash
        return Endpoint(
            name=f"staff.{it.name}.{operation}",
            method=method,
            path=f"/api/staff/{self.path}{path}",
            view=view,
            permission=it.read_permission if reads else it.write_permission,
            also_needs=() if reads else it.also_needs,
            summary=self.summaries[operation].format(one=one(it), many=many(it))
            + (" permanently" if is_final else ""),
            description=_FINAL if is_final else self.descriptions[operation],
            **options,
        )
