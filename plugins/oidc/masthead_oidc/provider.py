"""The provider of OpenID Connect: its metadata, its keys and its endpoints."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from masthead import Busy, Unauthenticated
from masthead_oidc.attempts import Attempt, Ticket
from masthead_oidc.client_keys import client_assertion
from masthead_oidc.registrations import Registration

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

logger = logging.getLogger(__name__)

_METADATA_SECONDS = 3_600
_KEYS_SECONDS = 30
"""The minimum time between two reads of the keys because of an unknown one."""
_PAUSE = 10
"""The seconds without calls after a failure, so that an outage holds no threads."""
_NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class ProviderError(Exception):
    """The provider can't be used; the message says why, for the deployer."""


class Provider:
    """A provider as one process knows it."""

    def __init__(self, issuer: str, timeout: int) -> None:
        self.issuer = issuer
        self._timeout = timeout
        self._lock = threading.Lock()
        self._metadata: Mapping[str, Any] = {}
        self._metadata_until = 0.0
        self._keys: KeySet | None = None
        self._keys_read_at = -float(_KEYS_SECONDS)
        self._paused_until = 0.0

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the provider, read at most once an hour.

        :raises Busy: if it can't be read.
        """
        with self._lock, self._reachable():
            if time.monotonic() >= self._metadata_until:
                self._metadata = self.read_metadata()
                self._metadata_until = time.monotonic() + _METADATA_SECONDS
            return self._metadata

    def keys(self, *, again: bool = False) -> KeySet:
        """Return the keys of the provider's signatures.

        :param again: whether to read them anew, unless that was done seconds ago.
        :raises Busy: if they can't be read.
        """
        address = self.metadata["jwks_uri"]
        with self._lock, self._reachable():
            now = time.monotonic()
            if self._keys is None or (again and now - self._keys_read_at >= _KEYS_SECONDS):
                # The first read doesn't count, because the keys may change soon after it.
                self._keys_read_at = now if again else self._keys_read_at
                self._keys = self._read_keys(address)
            return self._keys

    def read_metadata(self) -> Mapping[str, Any]:
        """Return the metadata, fetched now (OpenID Connect Discovery section 4).

        :raises ProviderError: if they are those of another issuer, or lack an endpoint.
        """
        address = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
        found = self._get(address)
        if found.get("issuer") != self.issuer:
            raise ProviderError(f"{address} names the issuer {found.get('issuer')!r}")
        if missing := [name for name in _NEEDED if not isinstance(found.get(name), str)]:
            raise ProviderError(f"{address} lacks {', '.join(missing)}")
        return found

    def _read_keys(self, address: str) -> KeySet:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        found: Any = self._get(address)
        try:
            return KeySet.import_key_set(found)
        except (JoseError, KeyError, TypeError, AttributeError) as error:
            raise ProviderError(f"{address} has no keys: {type(error).__name__}") from None

    def call(self, ask: Callable[[Any, int], Any], **client: Any) -> Any:
        """Return the result of a function that calls the provider.

        :param ask: gets a client of OAuth 2.0 and the timeout of its calls.
        :param client: the arguments of the client.
        :raises Busy: if the provider can't be reached.
        """
        with self._reachable():
            return self._ask(ask, **client)

    def _get(self, address: str) -> Mapping[str, Any]:
        def get(client: Any, timeout: int) -> Any:
            answer = client.get(
                address, withhold_token=True, timeout=timeout, allow_redirects=False
            )
            if answer.status_code != 200:
                raise ProviderError(f"{address} answers {answer.status_code}")
            return answer.json()

        found = self._ask(get)
        if not isinstance(found, dict):
            raise ProviderError(f"{address} answers no object")
        return found

    def _ask(self, ask: Callable[[Any, int], Any], **client: Any) -> Any:
        """Call the provider, whose failures become a :class:`ProviderError`."""
        from authlib.integrations.requests_client import OAuth2Session
        from requests import RequestException

        try:
            with OAuth2Session(**client) as session:
                return ask(session, self._timeout)
        except (RequestException, ValueError) as error:
            raise ProviderError(f"{self.issuer} fails: {type(error).__name__}") from error

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        """Refuse calls for some seconds after one has failed.

        :raises Busy: instead of a :class:`ProviderError`, which is logged.
        """
        if time.monotonic() < self._paused_until:
            raise _unreachable()
        try:
            yield
        except ProviderError as error:
            self._paused_until = time.monotonic() + _PAUSE
            logger.warning("The provider of single sign-on can't be used: %s", error)
            raise _unreachable() from None


@lru_cache(8)
def provider_at(issuer: str, timeout: int) -> Provider:
    """Return the provider with an issuer, with the metadata and keys that this process has read."""
    return Provider(issuer, timeout)


def provider_of(registration: Registration) -> Provider:
    """Return the provider of a registration."""
    return provider_at(registration.issuer, registration.timeout)


def authorization_address(registration: Registration, attempt: Attempt) -> str:
    """Return the address at the provider where the person logs in.

    :raises Busy: if the provider can't be reached.
    """
    from authlib.integrations.requests_client import OAuth2Session

    endpoint = provider_of(registration).metadata["authorization_endpoint"]
    with OAuth2Session(
        registration.client_id,
        redirect_uri=registration.callback,
        scope=" ".join(registration.scopes),
        code_challenge_method="S256",
    ) as client:
        address, _ = client.create_authorization_url(
            endpoint, attempt.state, attempt.verifier, nonce=attempt.nonce
        )
    return str(address)


def fetch_tokens(registration: Registration, ticket: Ticket) -> Mapping[str, Any]:
    """Return the answer of the token endpoint to an authorization code.

    :raises Unauthenticated: if the provider refuses the code.
    :raises Busy: if the provider can't be reached.
    """
    from authlib.common.errors import AuthlibBaseError

    provider = provider_of(registration)
    endpoint = provider.metadata["token_endpoint"]

    def fetch(client: Any, timeout: int) -> Any:
        proof = _key_proof(registration, provider.metadata)
        return client.fetch_token(
            endpoint,
            grant_type="authorization_code",
            code=ticket.code,
            code_verifier=ticket.verifier,
            auth=_client_auth(provider.metadata, client),
            timeout=timeout,
            allow_redirects=False,
            **proof,
        )

    try:
        tokens: Mapping[str, Any] = provider.call(
            fetch,
            client_id=registration.client_id,
            client_secret=registration.client_secret,
            redirect_uri=registration.callback,
        )
    except AuthlibBaseError as error:
        logger.warning("The provider of single sign-on refuses a code: %s", error.error)
        raise Unauthenticated("The provider refuses the login; begin again") from None
    return tokens


def fetch_user_info(registration: Registration, tokens: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the claims at the endpoint for user information; none if there is no such endpoint.

    :raises Busy: if the provider can't be reached.
    """
    provider = provider_of(registration)
    endpoint = provider.metadata.get("userinfo_endpoint")
    if not endpoint or "access_token" not in tokens:
        return {}

    def fetch(client: Any, timeout: int) -> Any:
        answer = client.get(endpoint, timeout=timeout, allow_redirects=False)
        answer.raise_for_status()
        return answer.json()

    found = provider.call(fetch, client_id=registration.client_id, token=dict(tokens))
    return found if isinstance(found, dict) else {}


def logout_endpoint(registration: Registration) -> str | None:
    """Return the endpoint of the provider that ends sessions; None without one.

    :raises Busy: if the provider can't be reached.
    """
    found = provider_of(registration).metadata.get("end_session_endpoint")
    return found if isinstance(found, str) else None


def logout_address(registration: Registration, endpoint: str, id_token: str, return_to: str) -> str:
    """Return the address at the provider that ends a session there.

    :param id_token: the ID token of the session (OpenID Connect RP-Initiated Logout section 2).
    """
    query = urlencode(
        {
            "id_token_hint": id_token,
            "client_id": registration.client_id,
            "post_logout_redirect_uri": return_to,
        }
    )
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{query}"


def _key_proof(registration: Registration, metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that prove the client by a key; none for a client without one.

    :raises ProviderError: if the key can't be used.
    """
    if not registration.client_key:
        return {}
    try:
        return client_assertion(registration, metadata)
    except ValueError as error:
        raise ProviderError(str(error)) from None


def _client_auth(metadata: Mapping[str, Any], client: Any) -> Any:
    """Return the authentication of the client that the provider supports."""
    from requests.auth import HTTPBasicAuth

    if not client.client_secret:
        return client.client_auth("none")
    methods = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    if "client_secret_basic" in methods:
        # Both parts are encoded (RFC 6749 section 2.3.1), which Authlib leaves out.
        return HTTPBasicAuth(quote(client.client_id, ""), quote(client.client_secret, ""))
    return client.client_auth("client_secret_post")


def _unreachable() -> Busy:
    return Busy("The provider of single sign-on doesn't answer; try again later", _PAUSE)
