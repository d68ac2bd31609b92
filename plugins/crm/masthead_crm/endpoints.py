"""The endpoints beyond those that resources have, declared."""

from __future__ import annotations

from masthead import MOST_ROWS, Endpoint, FileField, ListOf, Object
from masthead_crm import schemas
from masthead_crm.resource import CONTACTS
from masthead_crm.settings import MAX_CSV
from masthead_crm.views import follow_ups, importing, persons, progression

READ, WRITE = CONTACTS.read_permission, CONTACTS.write_permission
CONTACT = f"/api/staff/{CONTACTS.path}/{{id}}"

ENDPOINTS = [
    Endpoint(
        name="staff.contacts.progression.list",
        method="GET",
        path=f"{CONTACT}/progression",
        view=progression.list_entries,
        permission=READ,
        summary="List the steps of a contact, the newest first",
        returns=ListOf(Object(schemas.ENTRY)),
        page=MOST_ROWS,
    ),
    Endpoint(
        name="staff.contacts.progression.add",
        method="POST",
        path=f"{CONTACT}/progression",
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
        returns=schemas.SUCCESS,
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
        upload=FileField(most=MAX_CSV, accepts=("text/csv",)),
    ),
    Endpoint(
        name="staff.contacts.merge",
        method="POST",
        path=f"{CONTACT}/merge",
        view=persons.merge,
        permission=WRITE,
        summary="Merge another contact into one, and delete the other",
        returns=CONTACTS.answer(detail=True),
        body=schemas.MERGE_BODY,
    ),
    Endpoint(
        name="staff.contacts.export",
        method="GET",
        path=f"{CONTACT}/export",
        view=persons.export_person,
        permission=READ,
        summary="Show all that is held on the person of a contact",
        returns=schemas.PERSON,
    ),
]
