"""The client for synchronous programs without typed operations.

``synchronous.py`` is made from ``asynchronous.py`` by ``python -m tools.client``.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Callable, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

import httpx

from masthead_client.answers import Results, ResultList, Revision
from masthead_client.cache import Answer, Cache
from masthead_client.edits import Editable, BodyT, ItemT, KeyT
from masthead_client.errors import PreconditionFailed, Unavailable, error_of
from masthead_client.live import TIMEOUT, Feed, LiveEvent
from masthead_client.requests import DEFAULT_RETRY, Query, Requests, conditions, list_in, object_in
from masthead_client.retries import Retry
from masthead_client.uploads import File, Progress, opened

if TYPE_CHECKING:
    from masthead_client.generated.types import LoggedIn

_EDITS = 5
"""The attempts of an edit while others change the same item."""


class BaseClient(Requests[httpx.Client]):
    """A client of one instance of Masthead."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        retry: Retry | None = DEFAULT_RETRY,
        cache: Cache | None = None,
        timeout: float = 30,
        http: httpx.Client | None = None,
    ) -> None:
        """Take the address of the instance, and the token of an earlier login.

        ``retry=None`` repeats no request. ``http`` is a client of httpx with other settings, such
        as a proxy; ``timeout`` has no effect on it.
        """
        super().__init__(url, http or httpx.Client(timeout=timeout), token, retry, cache)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def log_in(self, username: str, password: str, *, code: str | None = None) -> LoggedIn:
        """Log in, and send the token with all later requests that need one.

        :param code: the code of the second step, if the refusal without it asks for one.
        """
        body = {"username": username, "password": password}
        if code is not None:
            body["code"] = code
        login: LoggedIn = self.request("POST", "/api/auth/login", body=body, public=True)
        self._keep(login)
        return login

    def log_out(self) -> None:
        """Log out, and forget the token."""
        self.request("POST", "/api/auth/logout")
        self._forget()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        if_match: Revision | None = None,
        idempotency_key: str | None = None,
        public: bool = False,
    ) -> Any:
        """Send a request with a body of JSON or none, and return the JSON of the answer."""
        headers = conditions(if_match, idempotency_key)
        request = self._make(method, path, query, headers, public=public, json=body)
        return object_in(self._answer(request))

    def request_list(
        self, path: str, *, query: Query | None = None, public: bool = False
    ) -> Results[Any]:
        """Return a list, of which each page is a request."""

        def page(query: Query | str | None) -> ResultList[Any]:
            return list_in(self._answer(self._make("GET", path, query, public=public)))

        return Results(page, query)

    def request_bytes(
        self, method: str, path: str, *, query: Query | None = None, public: bool = False
    ) -> bytes:
        """Return the content of an answer that is no JSON, such as a CSV file or a feed."""
        request = self._make(method, path, query, public=public)
        return (self._answer(request, json=False)).content

    def request_upload(
        self,
        path: str,
        file: File,
        *,
        query: Query | None = None,
        form: Query | None = None,
        progress: Progress | None = None,
        idempotency_key: str | None = None,
        public: bool = False,
    ) -> Any:
        """Send a file and other fields of a form, and return the JSON of the answer."""
        headers = conditions(None, idempotency_key)
        with opened(file, progress) as (name, content):
            parts = {"files": {"file": (name, content)}, "data": dict(form or {})}
            request = self._make("POST", path, query, headers, public=public, **parts)
            return object_in(self._answer(request, again=content.seekable()))

    def request_events(
        self, path: str, *, query: Query | None = None
    ) -> Generator[LiveEvent, None]:
        """Yield live events, and connect again whenever the connection ends."""
        feed = Feed(self.retry, query or {})
        while True:
            request = self._make("GET", path, feed.query, timeout=TIMEOUT)
            try:
                with self._open(request) as response:
                    feed.connected()
                    for text in response.iter_text():
                        for event in feed.read(text):
                            yield event
                pause = feed.pause
            except (httpx.TransportError, Unavailable) as error:
                pause = feed.failed(error)
            time.sleep(pause)

    @contextmanager
    def stream(
        self, method: str, path: str, *, query: Query | None = None, public: bool = False
    ) -> Iterator[httpx.Response]:
        """Return the response of httpx before its content is loaded, for large files."""
        with self._open(self._make(method, path, query, public=public)) as response:
            yield response

    def edit(
        self,
        items: Editable[KeyT, ItemT, BodyT],
        key: KeyT,
        change: Callable[[ItemT], BodyT],
    ) -> ItemT:
        """Change an item; if somebody else changes it meanwhile, change the later revision.

        ``change`` takes the item as it is, and returns the body of the update.
        """
        for _ in range(_EDITS - 1):
            item = items.show(key)
            try:
                return items.update(key, change(item), if_match=item)
            except PreconditionFailed:
                continue
        item = items.show(key)
        return items.update(key, change(item), if_match=item)

    def _answer(
        self, request: httpx.Request, *, json: bool = True, again: bool = True
    ) -> Answer:
        """Return the answer to a request, which may be sent again unless its body is a pipe."""
        stored = self._stored(request)
        pauses = self._pauses(request) if again else ()
        return self._read(request, self._send(request, pauses), stored, json=json)

    def _send(self, request: httpx.Request, pauses: Iterable[float]) -> httpx.Response:
        """Send a request, and again after pauses if that may help."""
        for pause in pauses:
            try:
                response = self.http.send(request)
            except httpx.TransportError:
                time.sleep(pause)
                continue
            wait = self.retry.wait(response, pause)
            if wait is None:
                return response
            time.sleep(wait)
        return self.http.send(request)

    @contextmanager
    def _open(self, request: httpx.Request) -> Iterator[httpx.Response]:
        response = self.http.send(request, stream=True)
        try:
            if not response.is_success:
                response.read()
                raise error_of(response)
            yield response
        finally:
            response.close()


class Group:
    """Operations whose ids begin with the same words."""

    def __init__(self, client: BaseClient) -> None:
        self._client = client
