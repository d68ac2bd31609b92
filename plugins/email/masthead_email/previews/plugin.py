"""The hooks of previews."""

from __future__ import annotations

from masthead import Endpoint, endpoints_in, hookimpl
from masthead_email.previews import views


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of previews."""
    return [*endpoints_in(views), *views.preview_endpoints()]
