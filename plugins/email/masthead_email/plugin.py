"""The hooks of the plugin as a whole, and the modules with the hooks of its features."""

from __future__ import annotations

from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Check,
    Chore,
    Instance,
    Job,
    Permission,
    Plugin,
    Reading,
    Setting,
    hookimpl,
)
from masthead_email import demo
from masthead_email.audit import audit_actions
from masthead_email.base import Base
from masthead_email.bounces import plugin as bounces
from masthead_email.commands import mail
from masthead_email.composed import plugin as composed
from masthead_email.delivery.observed import readings
from masthead_email.delivery.runner import delivery_chores
from masthead_email.diagnosis import checks
from masthead_email.mails import plugin as mails
from masthead_email.newsletters import plugin as newsletters
from masthead_email.notices import plugin as notices
from masthead_email.outbox.restore_guard import mark_copied
from masthead_email.outbox.retention import retention_jobs
from masthead_email.permissions import ADDRESSES, READ
from masthead_email.previews import plugin as previews
from masthead_email.settings import SETTINGS
from masthead_email.subscribers import plugin as subscribers
from masthead_email.suppressions import plugin as suppressions
from masthead_email.templates import plugin as templates
from masthead_email.webhooks import plugin as webhooks


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the plugin."""
    return SETTINGS


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Return the permission to read addresses; those of the area belong to its resources."""
    help_text = "Read subscribers and the recipients of e-mails."
    return [Permission(ADDRESSES, help_text, split_from=READ)]


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of subscribers and mail."""
    return audit_actions()


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Return the delivery chores and the retention job."""
    return [*delivery_chores(instance), *retention_jobs(instance)]


@hookimpl
def masthead_checks() -> list[Check | Reading]:
    """Return the checks of sender, relay and outbox, and their gauges."""
    return [*checks(), *readings()]


_PAUSED = "E-mail is paused; see masthead mail pending and masthead mail resume"


@hookimpl
def masthead_imported(session: Session) -> str:
    """Pause sending, because the exported instance may still send the same mail."""
    mark_copied(session)
    return _PAUSED


@hookimpl
def masthead_restored(session: Session) -> str:
    """Pause sending, because the original may have sent the same mail since the backup."""
    mark_copied(session)
    return _PAUSED


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead mail``."""
    group.add_command(mail)


plugin = Plugin(
    name="email",
    hooks=(
        __name__,
        subscribers,
        suppressions,
        newsletters,
        composed,
        templates,
        previews,
        mails,
        notices,
        bounces,
        webhooks,
        demo,
    ),
    base=Base,
    migrations="masthead_email.migrations",
    texts="masthead_email.texts",
)
