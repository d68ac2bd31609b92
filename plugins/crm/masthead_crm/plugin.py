"""The plugin's hooks: contacts, their progression and their follow-ups."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Chore,
    Demo,
    Endpoint,
    ItemUse,
    Job,
    Plugin,
    Resource,
    Setting,
    endpoints_in,
    hookimpl,
)
from masthead_crm.commands import contacts
from masthead_crm.demo import show_contacts
from masthead_crm.models import Base
from masthead_crm.resource import CONTACTS, MAPPINGS, RULES, STAGES
from masthead_crm.services.follow_ups import send_due_mails
from masthead_crm.services.templates import KIND as TEMPLATES
from masthead_crm.services.templates import uses_of_templates
from masthead_crm.settings import MAX_CSV
from masthead_crm.views import csv_import, duplicates, follow_ups, persons, progression

MAIL_INTERVAL = timedelta(seconds=30)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the size limit of CSV files."""
    return [MAX_CSV]


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resources: contacts, mappings of imports, stages and rules."""
    return [CONTACTS, MAPPINGS, STAGES, RULES]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of progression, follow-ups, imports, duplicates and persons."""
    return endpoints_in(progression, follow_ups, csv_import, duplicates, persons)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of contacts and persons."""
    return [
        AuditAction("contacts.merge", "A contact was merged into another one."),
        AuditAction("person.erase", "The data of a person was erased."),
    ]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead contacts``."""
    group.add_command(contacts)


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the job that hands over due mails of follow-ups."""
    return [Job("crm.follow-ups", MAIL_INTERVAL, send_due_mails)]


@hookimpl
def masthead_uses(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    """Return the rules that send one of the templates."""
    return uses_of_templates(session, ids) if kind == TEMPLATES else []


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create contacts with progression entries and follow-ups for the demo."""
    show_contacts(demo)


plugin = Plugin(
    name="crm",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_crm.migrations",
    texts="masthead_crm.texts",
)
