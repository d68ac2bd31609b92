"""How crm joins Masthead: contacts, their progression, and whom to get in touch with next."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import (
    Chore,
    Demo,
    Endpoint,
    Job,
    PersonData,
    Plugin,
    Resource,
    Setting,
    hookimpl,
)
from masthead_crm.commands import contacts
from masthead_crm.demo import show_contacts
from masthead_crm.endpoints import ENDPOINTS
from masthead_crm.models import Base
from masthead_crm.resource import CONTACTS, RULES, STAGES
from masthead_crm.services.follow_ups import send_due_mails
from masthead_crm.services.persons import delete_person, tell_person
from masthead_crm.settings import MAX_CSV

MAIL_EVERY = timedelta(seconds=30)


class Hooks:
    """What crm answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """How large a file may be."""
        return [MAX_CSV]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        """Contacts, stages and rules."""
        return [CONTACTS, STAGES, RULES]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """Steps, follow-ups, imports, and what concerns a person as a whole."""
        return ENDPOINTS

    @hookimpl
    def masthead_commands(self, group: click.Group) -> None:
        """``masthead contacts``."""
        group.add_command(contacts)

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        """Handing over the mails of follow-ups that are due."""
        return [Job("crm.follow-ups", MAIL_EVERY, send_due_mails)]

    @hookimpl
    def masthead_person_data(self, session: Session, address: str) -> list[PersonData]:
        """The contact with that address."""
        return tell_person(session, address)

    @hookimpl
    def masthead_forget_person(self, session: Session, address: str) -> None:
        """Delete that contact and all that hangs on it."""
        delete_person(session, address)

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """Contacts, and what is to be done."""
        show_contacts(demo)


plugin = Plugin(name="crm", hooks=(Hooks(),), base=Base, migrations="masthead_crm.migrations")
