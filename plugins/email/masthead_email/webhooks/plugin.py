"""The hooks of webhooks."""

from __future__ import annotations

from typing import Any

from masthead import Endpoint, Setting, endpoints_in, hookimpl
from masthead_email.webhooks import views
from masthead_email.webhooks.providers import PROVIDERS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the secrets of the providers."""
    return [each.setting for each in PROVIDERS.values()]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint that receives events."""
    return endpoints_in(views)
