"""One call of a cache or its API over HTTP, within a time limit."""

from __future__ import annotations

import time
from collections.abc import Mapping

import urllib3

_MOST_BYTES = 64 * 1024
_CHUNK = 4_096


class PurgeError(Exception):
    """A purge failed; the message says why."""

    def __init__(self, message: str, retry_after: str | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """The header of that name in the answer."""


def call(
    method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
) -> bytes:
    """Return the body of the answer to one call; redirects are not followed.

    :raises PurgeError: if the status isn't 200, or there is no complete answer in time.
    """
    until = time.monotonic() + timeout
    try:
        with urllib3.PoolManager(retries=False, timeout=timeout) as pool:
            answer = pool.request(
                method, url, body, headers=headers, redirect=False, preload_content=False
            )
            content = _read(answer, until)
            answer.close()
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise PurgeError(_explain(error, timeout)) from None
    if answer.status != 200:
        retry_after = answer.headers.get("Retry-After")
        raise PurgeError(f"it answers {answer.status}: {_readable(content)}", retry_after)
    return content


def _read(answer: urllib3.BaseHTTPResponse, until: float) -> bytes:
    content = b""
    # A timeout limits each read only, and a slow answer may consist of many.
    while len(content) < _MOST_BYTES and (chunk := answer.read1(_CHUNK)):
        content += chunk
        if time.monotonic() > until:
            raise TimeoutError
    return content


def _readable(content: bytes) -> str:
    text = content[:300].decode("utf-8", "replace")
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def _explain(error: Exception, timeout: float) -> str:
    if isinstance(error, urllib3.exceptions.TimeoutError | TimeoutError):
        return f"there was no answer within {timeout:g} seconds"
    if isinstance(error, urllib3.exceptions.NameResolutionError):
        return "the name of the host isn't known"
    if isinstance(error, urllib3.exceptions.SSLError):
        return f"TLS failed: {str(error)[:200]}"
    return "the connection failed"
