"""The storage of image bytes: a folder, S3, Google Cloud Storage or Azure, by way of obstore."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from masthead_media.store_outage import StoreOutage

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore, RetryConfig

_S3_OPTIONS = ("endpoint", "region", "access_key_id", "secret_access_key")
_RETRIES: RetryConfig = {"max_retries": 2, "retry_timeout": timedelta(seconds=6)}
_NO_RETRIES: RetryConfig = {"max_retries": 0, "retry_timeout": timedelta(seconds=4)}
_PROBE_SECONDS = timedelta(seconds=4)
# A storage that hangs must not hold the threads of requests for long.
_TIMEOUTS: ClientConfig = {
    "connect_timeout": timedelta(seconds=3),
    "read_timeout": timedelta(seconds=8),
}
_LIFETIME = "public, max-age=31536000, immutable"
"""The ``Cache-Control`` of stored bytes, for clients that get them from the storage itself."""
_CHUNK = 256 * 1024
_LIST_CHUNK = 1_000


class Storage:
    """Bytes by key, in any of the stores.

    This class hides the differences between them: a folder has no media types and needs an explicit
    fsync, and some stores fail when a missing key is deleted. A missing key is a
    ``FileNotFoundError`` in every store. While a store on another machine is away, reading and
    writing raise ``Busy``; any other failure is some ``Exception``.
    """

    def __init__(self, url: str, *, probes: bool = False) -> None:
        """Open a storage.

        :param probes: whether it fails fast, instead of trying again.
        """
        self._url = url
        self._retries = _NO_RETRIES if probes else _RETRIES
        self._client: ClientConfig = {"timeout": _PROBE_SECONDS} if probes else _TIMEOUTS
        self._outage = None if probes else StoreOutage()

    @cached_property
    def folder(self) -> Path | None:
        """The folder that keys are paths in; None for the other stores."""
        parts = urlsplit(self._url)
        return Path(unquote(parts.path)) if parts.scheme == "file" else None

    @cached_property
    def _store(self) -> ObjectStore:
        # obstore is large, and most processes never access an image.
        from obstore.store import LocalStore, S3Store, from_url

        if self.folder is not None:
            return LocalStore(self.folder, mkdir=True)
        parts = urlsplit(self._url)
        if parts.scheme != "s3":
            return from_url(self._url, client_options=self._client, retry_config=self._retries)
        options: dict[str, Any] = dict(parse_qsl(parts.query))
        # Unencrypted only if the address says so.
        client: ClientConfig = {
            **self._client,
            "allow_http": options.get("endpoint", "").startswith("http://"),
        }
        prefix = parts.path.strip("/") or None
        return S3Store(
            parts.netloc,
            prefix=prefix,
            client_options=client,
            retry_config=self._retries,
            **options,
        )

    def _watched(self) -> AbstractContextManager[None]:
        """Return a block that raises ``Busy`` while the store is away."""
        if self._outage is None or self.folder is not None:
            return nullcontext()
        return self._outage.watch()

    def put(self, key: str, content: bytes, media_type: str) -> None:
        """Store bytes durably, replacing those that the key had before."""
        if self.folder is None:
            kept = {"Content-Type": media_type, "Cache-Control": _LIFETIME}
            with self._watched():
                self._store.put(key, content, attributes=kept)
            return
        self._store.put(key, content)
        path = self.folder / key
        for each in (path, path.parent):
            descriptor = os.open(each, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def get(self, key: str) -> bytes:
        """Return the bytes of a key."""
        with self._watched():
            return bytes(self._store.get(key).bytes())

    def iter_range(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from ``start`` up to but not including ``end``, or all, in chunks."""
        # Some servers answer a range of all bytes with 200, which the library refuses.
        with self._watched():
            found = self._store.get(key, options={"range": (start, end)} if end is not None else {})
        return (bytes(chunk) for chunk in found.stream(min_chunk_size=_CHUNK))

    def signed_address(self, key: str, lifetime: timedelta) -> str:
        """Return an address at which anybody can read a key for some time; not for a folder."""
        from obstore import sign

        assert self.folder is None
        # Only stores that can sign addresses are opened for other URLs than that of a folder.
        store: Any = self._store
        return sign(store, "GET", key, lifetime)

    def size(self, key: str) -> int | None:
        """Return the number of bytes of a key; None if the key is missing."""
        try:
            with self._watched():
                return self._store.head(key)["size"]
        except FileNotFoundError:
            return None

    def written_at(self, key: str) -> datetime:
        """Return the time at which a key was written, by the clock of the storage."""
        return self._store.head(key)["last_modified"]

    def delete(self, keys: Iterable[str]) -> None:
        """Delete keys, ignoring those that are missing."""
        for key in keys:
            try:
                self._store.delete(key)
            except FileNotFoundError:
                pass

    def delete_partial_files(self, pattern: str) -> None:
        """Delete the files of processes that were killed while they stored bytes.

        Only a folder has them: ``<key>#<digits>`` beside the file of the key. ``list`` omits them.

        :param pattern: a key, in which ``*`` stands for any part between slashes.
        """
        if self.folder is not None:
            for path in self.folder.glob(f"{pattern}#*"):
                if path.name.rpartition("#")[2].isdecimal():
                    path.unlink(missing_ok=True)

    def list(self, prefix: str | None = None) -> Iterator[list[str]]:
        """Yield its keys in batches.

        :param prefix: the prefix that the keys must have, without its last slash.
        """
        if self.folder is not None and not self.folder.exists():
            # Nothing has been stored yet: obstore need not be loaded.
            return
        for batch in self._store.list(prefix, chunk_size=_LIST_CHUNK):
            yield [each["path"] for each in batch]


def storage_url(value: str) -> str:
    """Parse the URL of a storage; blank stays blank.

    :raises ValueError: for an unknown kind of storage or an unknown option.
    """
    url = value.strip()
    if not url:
        return url
    try:
        parts = urlsplit(url)
        options = [name for name, _ in parse_qsl(parts.query, strict_parsing=bool(parts.query))]
    except ValueError:
        raise ValueError("an address such as s3://bucket/prefix") from None
    is_folder = parts.scheme == "file" and not parts.netloc and parts.path.startswith("/")
    # Messages show the bucket, so it must not have credentials in front of it.
    is_bucket = parts.scheme in ("s3", "gs", "az") and parts.netloc and "@" not in parts.netloc
    known = _S3_OPTIONS if parts.scheme == "s3" else ()
    if not (is_folder or is_bucket) or parts.fragment or set(options) - set(known):
        raise ValueError(
            "file:///folder, s3://bucket/prefix?region=…&endpoint=…, gs://bucket/prefix or"
            " az://account/container/prefix"
        )
    return url


@cache
def open_storage(url: str, data: Path, *, probes: bool = False) -> Storage:
    """Return the storage at a URL, or in ``data`` if blank; cached, as it keeps connections.

    :param probes: see :class:`Storage`.
    """
    return Storage(url or (data / "media").as_uri(), probes=probes)
