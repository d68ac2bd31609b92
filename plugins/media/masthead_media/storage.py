"""Where the bytes of images lie, by obstore: a folder, S3, Google's or Azure's store."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore, RetryConfig

_S3_OPTIONS = ("endpoint", "region", "access_key_id", "secret_access_key")
_TRIES: RetryConfig = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}
_PIECE = 256 * 1024
_LISTED = 1_000


class Storage:
    """Bytes by key, whatever holds them.

    What differs between the stores is hidden here: a folder has no media types and syncs nothing by
    itself; deleting what isn't there is an error in some; S3 knows seconds only. What is missing is
    a ``FileNotFoundError`` everywhere, any other trouble some ``Exception``.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def folder(self) -> Path | None:
        """Where it is a folder: keys are paths below it."""
        parts = urlsplit(self._url)
        return Path(unquote(parts.path)) if parts.scheme == "file" else None

    @cached_property
    def _store(self) -> ObjectStore:
        # Large, and most processes never touch an image.
        from obstore.store import LocalStore, S3Store, from_url

        if self.folder is not None:
            return LocalStore(self.folder, mkdir=True)
        parts = urlsplit(self._url)
        if parts.scheme != "s3":
            return from_url(self._url, retry_config=_TRIES)
        options: dict[str, Any] = dict(parse_qsl(parts.query))
        # Only who says so in the address goes without encryption.
        client: ClientConfig = {"allow_http": options.get("endpoint", "").startswith("http://")}
        prefix = parts.path.strip("/") or None
        return S3Store(
            parts.netloc, prefix=prefix, client_options=client, retry_config=_TRIES, **options
        )

    def put(self, key: str, content: bytes, media_type: str) -> None:
        """Store bytes so that they survive a power cut; what the key held before is replaced."""
        if self.folder is None:
            self._store.put(key, content, attributes={"Content-Type": media_type})
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
        """All bytes of a key."""
        return bytes(self._store.get(key).bytes())

    def pieces(self, key: str, start: int, end: int) -> Iterator[bytes]:
        """The bytes from ``start`` on and before ``end``, a piece at a time."""
        found = self._store.get(key, options={"range": (start, end)})
        return (bytes(piece) for piece in found.stream(min_chunk_size=_PIECE))

    def size(self, key: str) -> int | None:
        """The number of a key's bytes; None where it isn't there."""
        try:
            return self._store.head(key)["size"]
        except FileNotFoundError:
            return None

    def delete(self, keys: Iterable[str]) -> None:
        """Delete keys; those that aren't there are as good as deleted."""
        for key in keys:
            try:
                self._store.delete(key)
            except FileNotFoundError:
                pass

    def delete_torn(self, pattern: str) -> None:
        """Delete what processes left that were killed while they stored something.

        A folder has it beside what it would have become, as ``<key>#<digits>``; no list shows it.

        :param pattern: a key, or one with ``*`` for any part before or after a slash.
        """
        if self.folder is not None:
            for path in self.folder.glob(f"{pattern}#*"):
                if path.name.rpartition("#")[2].isdecimal():
                    path.unlink(missing_ok=True)

    def list(self, below: str | None = None) -> Iterator[list[str]]:
        """Its keys, many at a time.

        :param below: the part of a key before a slash that they have to begin with.
        """
        if self.folder is not None and not self.folder.exists():
            # Nothing was ever stored, and the library needn't be loaded to say so.
            return
        for portion in self._store.list(below, chunk_size=_LISTED):
            yield [each["path"] for each in portion]


def storage_url(value: str) -> str:
    """The address of a storage; blank stays blank.

    :raises ValueError: where it names none that is known, or an option that isn't.
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
    is_bucket = parts.scheme in ("s3", "gs", "az") and parts.netloc
    known = _S3_OPTIONS if parts.scheme == "s3" else ()
    if not (is_folder or is_bucket) or parts.fragment or set(options) - set(known):
        raise ValueError(
            "file:///folder, s3://bucket/prefix?region=…&endpoint=…, gs://bucket/prefix or"
            " az://account/container/prefix"
        )
    return url


@cache
def open_storage(url: str, data: Path) -> Storage:
    """The storage at an address, or in ``data`` where that is blank; it keeps connections."""
    return Storage(url or (data / "media").as_uri())
