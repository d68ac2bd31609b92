"""The endpoint of webhooks."""

from __future__ import annotations

from masthead import PUBLIC, SUCCESS, Forbidden, NotFound, Request, endpoint
from masthead_email.webhooks.providers import PROVIDERS
from masthead_email.webhooks.services import record_events

_MAX_BODY = 2 * 1024 * 1024


@endpoint(
    "POST",
    "/api/email/webhooks/{provider}",
    name="email.webhook",
    path_help={"provider": "The name of the delivery service."},
    permission=PUBLIC,
    raw_body=_MAX_BODY,
    returns=SUCCESS,
    refuses=frozenset((403,)),
)
def receive(request: Request) -> dict[str, bool]:
    """Receive events of an e-mail delivery service, which authenticates itself by its secret."""
    provider = PROVIDERS.get(request.matchdict["provider"])
    secret = request.instance.settings[provider.setting] if provider else ""
    if provider is None or not secret:
        raise NotFound
    if not provider.is_authentic(request.headers, request.raw, secret):
        raise Forbidden
    record_events(request.db, provider.read_events(request.raw))
    return {"success": True}
