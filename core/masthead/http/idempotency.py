"""Idempotency keys: a repeated request gets the stored answer of the first one.

See draft-ietf-httpapi-idempotency-key-header. The row of a key is the first write in the
transaction of the request. So it is there if and only if the request has had its effects, and a
second request with the same key waits for the first one before it has effects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

import colander
from pyramid.response import Response
from sqlalchemy import Connection, ForeignKey, UniqueConstraint, delete, event, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED
from masthead.db.upsert import insert_into
from masthead.errors import ProblemCode, wrong_field
from masthead.http.endpoints import Endpoint
from masthead.http.request import Request
from masthead.http.wire import dump_json, json_response
from masthead.schemas.schema import ListOf, Nullable
from masthead.schemas.text_types import Secret
from masthead.settings import Setting, integer

HEADER = "Idempotency-Key"
_KEY = re.compile(r'"([!#-~]{1,255})"|([!#-~]{1,255})')
_PURPOSE = "idempotency"

HOURS = Setting(
    "masthead.idempotency.hours",
    integer(1, 720),
    "24",
    "Hours for which the answer to a request with an Idempotency-Key is kept, and sent again if the"
    " request is repeated.",
    shows=False,
)


class IdempotencyKey(Base):
    """A request that came with an idempotency key, and its answer."""

    __tablename__ = "core_idempotency_key"
    __table_args__ = (
        UniqueConstraint("user_id", "endpoint", "key"),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("core_user.id", ondelete="CASCADE"))
    endpoint: Mapped[str] = mapped_column(KEY)
    """The name of the endpoint."""
    key: Mapped[str] = mapped_column(KEY)
    at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    """The time of the request."""
    signature: Mapped[str]
    """The signature of address and body, which reveals no password in them."""
    answer: Mapped[str | None]
    """The JSON of the answer, without secrets; None until the view has returned."""
    etag: Mapped[str | None]


class Repeated(Exception):
    """The request has been answered before; the answer is sent again."""

    def __init__(self, answer: str, etag: str | None) -> None:
        super().__init__()
        self.answer = answer
        self.etag = etag


@dataclass(frozen=True)
class _Key:
    """The key of a request."""

    user_id: int
    endpoint: str
    key: str
    text: str
    """A text that is equal for equal addresses and bodies."""
    oldest: datetime
    """The time up to which keys have expired."""
    tokens: Any
    """Signs texts, and checks signatures."""

    @property
    def _own(self) -> dict[str, Any]:
        return {"user_id": self.user_id, "endpoint": self.endpoint, "key": self.key}

    def check_new(self, database: Session | Connection) -> None:
        """Raise ``Repeated`` if the request has been answered before.

        :raises Invalid: if the key came with another request.
        """
        row = database.execute(
            select(IdempotencyKey.signature, IdempotencyKey.answer, IdempotencyKey.etag)
            .filter_by(**self._own)
            .where(IdempotencyKey.at > self.oldest)
        ).one_or_none()
        if row is None:
            return
        if not self.tokens.has_signed(_PURPOSE, self.text, row.signature):
            raise wrong_field(HEADER, ProblemCode.KEY_REUSED, "It came with another request")
        raise Repeated(row.answer, row.etag)

    def claim(self, session: Session, _transaction: Any, connection: Connection) -> None:
        """Store the key, or raise as ``check_new`` does; wait for a transaction that stores it."""
        signature = self.tokens.sign(_PURPOSE, self.text)
        fresh = {"at": utcnow(), "signature": signature, "answer": None, "etag": None}
        new = insert_into(session, IdempotencyKey).values(self._own | fresh)
        claimed = new.on_conflict_do_update(
            index_elements=list(self._own), set_=fresh, where=IdempotencyKey.at <= self.oldest
        )
        if connection.execute(claimed.returning(IdempotencyKey.id)).first() is None:
            self.check_new(connection)

    def keep(self, session: Session, response: Response, answer: bytes) -> None:
        """Store the answer."""
        values = {"answer": answer.decode(), "etag": response.etag}
        session.execute(update(IdempotencyKey).filter_by(**self._own).values(values))

    def forget(self, session: Session) -> None:
        """Delete the key of a request that has been refused."""
        session.execute(delete(IdempotencyKey).filter_by(**self._own))


def answer_once(
    endpoint: Endpoint, request: Request, sent: Any, answer: Callable[[], Response]
) -> Response:
    """Answer a request, and store the answer for its repetitions; a refusal is not stored.

    :param sent: the JSON body; None if the endpoint takes none.
    :param answer: performs the request.
    :raises Repeated: if the request has been answered before.
    :raises Invalid: for a malformed key, and one that came with another request.
    """
    key = _key_of(endpoint, request, sent)
    with request.instance.database.session(read_only=True) as session:
        key.check_new(session)
    # Slow work of the view precedes its transaction, and thus the claim.
    event.listen(request.db, "after_begin", key.claim, once=True)
    response = answer()
    request.db.connection()
    if response.status_int < HTTPStatus.BAD_REQUEST:
        key.keep(request.db, response, _without_secrets(endpoint, response.body))
    else:
        # Its transaction is committed, for example with the record of a wrong password.
        key.forget(request.db)
    return response


# Pyramid passes the request to each exception view.
def answer_repeated(repeated: Repeated, request: Request) -> Response:  # noqa: ARG001
    """Return the stored answer."""
    response = json_response(json.loads(repeated.answer))
    response.headers["Cache-Control"] = "no-store"
    response.etag = repeated.etag
    return response


def _key_of(endpoint: Endpoint, request: Request, sent: Any) -> _Key:
    """Return the key, a string of structured fields (RFC 9651) or the same without quotes."""
    found = _KEY.fullmatch(request.headers[HEADER].strip())
    if found is None:
        message = "Must have 1 to 255 visible ASCII characters"
        raise wrong_field(HEADER, ProblemCode.WRONG_FORM, message)
    return _Key(
        user_id=request.identity.id,
        endpoint=endpoint.name,
        key=found[1] or found[2],
        text=json.dumps([request.path, request.query_string, sent], sort_keys=True),
        oldest=utcnow() - timedelta(hours=request.instance.settings[HOURS]),
        tokens=request.registry["masthead.tokens"],
    )


def _without_secrets(endpoint: Endpoint, body: bytes) -> bytes:
    """Return a JSON answer with null instead of secrets, which aren't stored in the clear."""
    node = getattr(endpoint.returns, "node", endpoint.returns)
    if not isinstance(node, colander.SchemaNode):
        return body
    secrets = {child.name: None for child in node.children if _is_secret(child.typ)}
    return dump_json({**json.loads(body), **secrets}) if secrets else body


def _is_secret(kind: Any) -> bool:
    """Whether values of a type are secrets."""
    while isinstance(kind, Nullable | ListOf):
        kind = kind.inner
    return isinstance(kind, Secret)
