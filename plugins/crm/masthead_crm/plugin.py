"""How crm joins Masthead: contacts, their progression, and whom to get in touch with next."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import (
    MOST_ROWS,
    SUCCESS,
    Chore,
    Demo,
    Endpoint,
    FileField,
    Job,
    ListOf,
    Object,
    PersonData,
    Plugin,
    Resource,
    Setting,
    hookimpl,
)
from masthead_crm import schemas
from masthead_crm.commands import contacts
from masthead_crm.demo import show_contacts
from masthead_crm.models import Base
from masthead_crm.resource import CONTACTS, RULES, STAGES
from masthead_crm.services.follow_ups import send_due_mails
from masthead_crm.services.persons import delete_person, tell_person
from masthead_crm.settings import MAX_CSV
from masthead_crm.views import follow_ups, importing, persons, progression

MAIL_EVERY = timedelta(seconds=30)
READ, WRITE = CONTACTS.read_permission, CONTACTS.write_permission
_CONTACT = f"/api/staff/{CONTACTS.path}/{{id}}"

_ENDPOINTS = [
    Endpoint(
        name="staff.contacts.progression.list",
        method="GET",
        path=f"{_CONTACT}/progression",
        view=progression.list_entries,
        permission=READ,
        summary="List the steps of a contact, the newest first",
        returns=ListOf(Object(schemas.ENTRY)),
        page=MOST_ROWS,
    ),
    Endpoint(
        name="staff.contacts.progression.add",
        method="POST",
        path=f"{_CONTACT}/progression",
        view=progression.add_entry,
        permission=WRITE,
        summary="Log a step of a contact, who stands on its stage then",
        returns=schemas.ENTRY,
        body=schemas.ENTRY_BODY,
    ),
    Endpoint(
        name="staff.follow-ups.dashboard",
        method="GET",
        path="/api/staff/follow-up-dashboard",
        view=follow_ups.show_dashboard,
        permission=READ,
        summary="Show what is to be done with contacts, and what was done last",
        returns=schemas.DASHBOARD,
    ),
    Endpoint(
        name="staff.follow-ups.complete",
        method="POST",
        path="/api/staff/follow-ups/{id}/complete",
        view=follow_ups.complete,
        permission=WRITE,
        summary="Complete a follow-up",
        returns=SUCCESS,
        refuses=frozenset({400}),
    ),
    Endpoint(
        name="staff.contacts.import",
        method="POST",
        path=f"/api/staff/{CONTACTS.path}/bulk-import",
        view=importing.import_contacts,
        permission=WRITE,
        summary="Import contacts from a CSV file",
        returns=schemas.IMPORTED,
        query=schemas.IMPORT_QUERY,
        body=schemas.IMPORT_BODY,
        upload=FileField(max_bytes=MAX_CSV, accepts=("text/csv",)),
    ),
    Endpoint(
        name="staff.contacts.merge",
        method="POST",
        path=f"{_CONTACT}/merge",
        view=persons.merge,
        permission=WRITE,
        summary="Merge another contact into one, and delete the other",
        returns=CONTACTS.answer(detail=True),
        body=schemas.MERGE_BODY,
    ),
    Endpoint(
        name="staff.contacts.export",
        method="GET",
        path=f"{_CONTACT}/export",
        view=persons.export_person,
        permission=READ,
        summary="Show all that is held on the person of a contact",
        returns=schemas.PERSON,
    ),
]


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
        return _ENDPOINTS

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
