"""The hooks of webhooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Chore,
    Endpoint,
    Job,
    Plugin,
    Resource,
    Setting,
    Transitioned,
    endpoints_in,
    hookimpl,
)
from masthead_webhooks import views
from masthead_webhooks.delivery import delivery_chore
from masthead_webhooks.events import announce_due, store_changes, store_transition
from masthead_webhooks.models import Base
from masthead_webhooks.resource import WEBHOOKS
from masthead_webhooks.services import delete_old, pause_imported, pause_restored
from masthead_webhooks.settings import SETTINGS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the plugin."""
    return SETTINGS


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of webhooks."""
    return [WEBHOOKS]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of deliveries, tests and secrets."""
    return endpoints_in(views)


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the work that announces scheduled items, calls webhooks, and cleans the log."""
    return [
        Job("webhooks.schedule", timedelta(seconds=30), announce_due),
        delivery_chore(),
        Job("webhooks.retention", timedelta(hours=6), delete_old),
    ]


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of webhooks."""
    return [
        AuditAction("webhook.replay", "A call of a webhook was repeated by hand."),
        AuditAction("webhook.rotate-secret", "A webhook got a new secret."),
    ]


@hookimpl
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Store the deliveries of a transition."""
    store_transition(session, event)


# Last, because other implementations may change items.
@hookimpl(trylast=True)
def masthead_committing(session: Session) -> None:
    """Store the deliveries of the public changes of the transaction."""
    store_changes(session)


@hookimpl
def masthead_imported(session: Session) -> str | None:
    """Switch imported webhooks off, because the exported instance may still call them."""
    number = pause_imported(session)
    if not number:
        return None
    return f"Webhooks are switched off ({number}) and have new secrets; see docs/webhooks.md"


@hookimpl
def masthead_restored(session: Session) -> str | None:
    """Switch webhooks off, because the original may have called them since the backup."""
    number = pause_restored(session)
    return f"Webhooks are switched off ({number}); see docs/webhooks.md" if number else None


plugin = Plugin(
    name="webhooks", hooks=(__name__,), base=Base, migrations="masthead_webhooks.migrations"
)
