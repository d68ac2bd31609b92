"""The hooks of suppressed addresses."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from masthead import Endpoint, MailSuppressions, endpoints_in, hookimpl
from masthead_email.suppressions import services, views


@hookimpl
def masthead_suppressions(session: Session, addresses: Sequence[str]) -> MailSuppressions:
    """Return the suppressed ones of some addresses."""
    return services.suppressions_of(session, addresses)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of suppressed addresses."""
    return endpoints_in(views)
