"""The endpoint that imports contacts."""

from __future__ import annotations

from typing import Any

from masthead import CSV_REPORT, FileField, Request, endpoint
from masthead_crm import schemas
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.resource import CONTACTS
from masthead_crm.settings import MAX_CSV


@endpoint(
    "POST",
    "/api/staff/contacts/bulk-import",
    name="staff.contacts.import",
    permission=CONTACTS.write_permission,
    query=schemas.IMPORT_QUERY,
    body=schemas.IMPORT_BODY,
    upload=FileField(max_bytes=MAX_CSV, accepts=("text/csv",)),
    returns=CSV_REPORT,
)
def import_contacts(request: Request) -> dict[str, Any]:
    """Import contacts from a CSV file."""
    report = CONTACTS_CSV.run(
        request.instance,
        request.upload.file,
        request.data.get("charset"),
        dry_run=request.query.get("dryRun", False),
        actor_id=request.identity.id,
    )
    return report.answer()
