"""The requests of both clients, and the reading of their answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

import httpx

from masthead_client.answers import Item, ResultList, Revision, revision
from masthead_client.cache import Answer, Cache
from masthead_client.errors import UnexpectedAnswer, error_of
from masthead_client.retries import Retry

Query = Mapping[str, Any]
"""The query parameters by name; a trailing underscore, as in ``from_``, is dropped."""

HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)

AGENT = f"masthead-client/{version('masthead-client')}"
DEFAULT_RETRY = Retry()
_ONCE = Retry(attempts=1)


class Requests(Generic[HttpT]):
    """The settings of a client, and the requests that it sends by ``httpx``."""

    url: str
    """The address of the instance, which may have a path."""
    http: HttpT
    """The client of httpx."""
    token: str | None
    """The token of a login; None without one."""
    expires_at: datetime | None
    """The time at which the token expires, if this client has logged in."""
    retry: Retry
    cache: Cache | None

    def __init__(
        self, url: str, http: HttpT, token: str | None, retry: Retry | None, cache: Cache | None
    ) -> None:
        self.url = url.rstrip("/")
        self.http = http
        self.token = token
        self.expires_at = None
        self.retry = retry or _ONCE
        self.cache = cache

    def _keep(self, login: Mapping[str, Any]) -> None:
        """Keep the token of a login."""
        self.token = login["token"]
        self.expires_at = datetime.fromisoformat(login["expiresAt"])

    def _forget(self) -> None:
        """Forget the token."""
        self.token = self.expires_at = None

    def _make(
        self,
        method: str,
        path: str,
        query: Query | str | None = None,
        headers: Mapping[str, str | None] | None = None,
        *,
        public: bool = False,
        **options: Any,
    ) -> httpx.Request:
        """Return a request of httpx, without the token if the operation is public."""
        text = query if isinstance(query, str) else encoded(query or {})
        sent = {"User-Agent": AGENT, **(headers or {})}
        if self.token is not None and not public:
            sent["Authorization"] = f"Bearer {self.token}"
        given = {name: value for name, value in sent.items() if value is not None}
        url = f"{self.url}{path}?{text}" if text else f"{self.url}{path}"
        return self.http.build_request(method, url, headers=given, **options)

    def _pauses(self, request: httpx.Request) -> Iterator[float]:
        """Return the pauses between attempts; none if a repetition could have another effect."""
        repeatable = request.method in ("GET", "HEAD") or "Idempotency-Key" in request.headers
        return (self.retry if repeatable else _ONCE).pauses()

    def _stored(self, request: httpx.Request) -> Answer | None:
        """Return the stored answer to a request, which then asks for a newer one only."""
        found = self.cache.get(request) if self.cache is not None else None
        if found is not None and found.etag is not None:
            request.headers["If-None-Match"] = found.etag
        return found

    def _read(
        self, request: httpx.Request, response: httpx.Response, stored: Answer | None, *, json: bool
    ) -> Answer:
        """Return the answer in a response, or the stored one if it still holds; raise an error."""
        if response.status_code == 304 and stored is not None:
            return stored
        if not response.is_success:
            raise error_of(response)
        if json and not _is_json(response):
            raise UnexpectedAnswer(response)
        answer = Answer.of(response)
        if self.cache is not None:
            self.cache.put(request, answer)
        return answer


def conditions(if_match: Revision | None, idempotency_key: str | None) -> dict[str, str | None]:
    """Return the headers of a change."""
    return {
        "If-Match": None if if_match is None else revision(if_match),
        "Idempotency-Key": idempotency_key,
    }


def object_in(answer: Answer) -> Any:
    """Return the JSON of an answer; an object has the ``ETag``."""
    found = json.loads(answer.content)
    if isinstance(found, dict):
        found = Item(found)
        found.etag = answer.etag
    return found


def list_in(answer: Answer) -> ResultList[Any]:
    """Return the JSON array of an answer."""
    found = ResultList(json.loads(answer.content))
    found.total, found.etag, found.next_query = answer.total, answer.etag, answer.next_query
    return found


def encoded(query: Query) -> str:
    """Return the text of query parameters without those that are None."""
    pairs = [(n.removesuffix("_"), _text(value)) for n, value in query.items() if value is not None]
    return urlencode(pairs, quote_via=quote)


def part(value: object) -> str:
    """Return a value as a segment of a path."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{text!r} can't be a part of an address")
    return quote(text, safe="")


def new_key() -> str:
    """Return a new ``Idempotency-Key``."""
    return str(uuid.uuid4())


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return str(value)


def _is_json(response: httpx.Response) -> bool:
    return bool(response.headers.get("Content-Type", "").startswith("application/json"))
