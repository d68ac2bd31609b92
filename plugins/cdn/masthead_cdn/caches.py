"""The caches that are purged: each knows how to purge keys, and everything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from masthead import Instance
from masthead_cdn.settings import (
    CLOUDFLARE_TOKEN,
    CLOUDFLARE_URL,
    CLOUDFLARE_ZONE,
    FASTLY_SERVICE,
    FASTLY_TOKEN,
    FASTLY_URL,
    TIMEOUT,
    VARNISH_URLS,
)

_FASTLY_KEYS = 256
_CLOUDFLARE_TAGS = 30
_VARNISH_KEYS = 100
"""The limit of a header line in Varnish is 8 KiB."""


class Cache(Protocol):
    """A cache in front of Masthead."""

    @property
    def name(self) -> str:
        """The name in logs, metrics and commands."""

    @property
    def key_header(self) -> str:
        """The header of answers in which the cache finds their keys."""

    def purge(self, keys: Sequence[str]) -> None:
        """Purge all answers with one of the keys.

        :raises PurgeError: if it fails; some of the keys may be purged nevertheless.
        """

    def purge_everything(self) -> None:
        """Purge all answers.

        :raises PurgeError: if it fails.
        """


@dataclass(frozen=True)
class Fastly:
    """A service of Fastly, which is purged by ``Surrogate-Key``."""

    url: str
    service: str
    token: str
    timeout: float
    name: str = "fastly"
    key_header: str = "Surrogate-Key"

    def purge(self, keys: Sequence[str]) -> None:
        """Purge keys."""
        for part in _parts(keys, _FASTLY_KEYS):
            self._post("purge", {"Surrogate-Key": " ".join(part)})

    def purge_everything(self) -> None:
        """Purge the service."""
        self._post("purge_all", {})

    def _post(self, operation: str, headers: Mapping[str, str]) -> None:
        address = f"{self.url}/service/{self.service}/{operation}"
        sent = {"Fastly-Key": self.token, "Accept": "application/json", **headers}
        _call("POST", address, sent, None, self.timeout)


@dataclass(frozen=True)
class Cloudflare:
    """A zone of Cloudflare, which is purged by ``Cache-Tag``."""

    url: str
    zone: str
    token: str
    timeout: float
    name: str = "cloudflare"
    key_header: str = "Cache-Tag"

    def purge(self, keys: Sequence[str]) -> None:
        """Purge tags."""
        for part in _parts(keys, _CLOUDFLARE_TAGS):
            self._post({"tags": list(part)})

    def purge_everything(self) -> None:
        """Purge the zone."""
        self._post({"purge_everything": True})

    def _post(self, body: Mapping[str, Any]) -> None:
        from masthead_cdn.calling import PurgeError

        address = f"{self.url}/zones/{self.zone}/purge_cache"
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        answer = _call("POST", address, sent, json.dumps(body).encode(), self.timeout)
        try:
            succeeded = json.loads(answer)["success"] is True
        except (ValueError, KeyError, TypeError):
            succeeded = False
        if not succeeded:
            raise PurgeError("it answers 200, but not that it has succeeded")


@dataclass(frozen=True)
class Varnish:
    """A Varnish server with the configuration ``config/deploy/varnish.vcl``."""

    url: str
    timeout: float
    key_header: str = "Surrogate-Key"

    @property
    def name(self) -> str:
        """The name with the address, as each of several servers has a cache of its own."""
        return f"varnish {self.url}"

    def purge(self, keys: Sequence[str]) -> None:
        """Purge keys."""
        for part in _parts(keys, _VARNISH_KEYS):
            self._purge(" ".join(part))

    def purge_everything(self) -> None:
        """Ban all answers."""
        self._purge("*")

    def _purge(self, keys: str) -> None:
        _call("PURGE", f"{self.url}/", {"Masthead-Keys": keys}, None, self.timeout)


def caches_of(instance: Instance) -> Sequence[Cache]:
    """Return the caches that the settings name."""
    return instance.shared(_caches)


def _caches(instance: Instance) -> list[Cache]:
    settings = instance.settings
    timeout = settings[TIMEOUT]
    found: list[Cache] = [Varnish(url, timeout) for url in settings[VARNISH_URLS]]
    if service := settings[FASTLY_SERVICE]:
        found.append(Fastly(settings[FASTLY_URL], service, settings[FASTLY_TOKEN], timeout))
    if zone := settings[CLOUDFLARE_ZONE]:
        found.append(
            Cloudflare(settings[CLOUDFLARE_URL], zone, settings[CLOUDFLARE_TOKEN], timeout)
        )
    return found


def _call(
    method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
) -> bytes:
    # urllib3 is large, and most processes purge nothing.
    from masthead_cdn.calling import call

    return call(method, url, {"User-Agent": "Masthead", **headers}, body, timeout)


def _parts(keys: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (keys[start : start + size] for start in range(0, len(keys), size))
