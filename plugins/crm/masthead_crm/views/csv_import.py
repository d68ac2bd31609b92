"""The endpoint that imports contacts."""

from __future__ import annotations

from io import StringIO
from typing import Any

from masthead import FileField, Request, endpoint
from masthead_crm import schemas
from masthead_crm.csv_import import ImportOptions
from masthead_crm.csv_import import import_contacts as import_file
from masthead_crm.resource import CONTACTS
from masthead_crm.services.mappings import parse_map
from masthead_crm.settings import MAX_CSV

_TYPES = (
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.ms-excel",
)


@endpoint(
    "POST",
    "/api/staff/contacts/bulk-import",
    name="staff.contacts.import",
    permission=CONTACTS.write_permission,
    query=schemas.IMPORT_QUERY,
    body=schemas.IMPORT_BODY,
    upload=FileField(max_bytes=MAX_CSV, accepts=_TYPES),
    returns=schemas.IMPORTED,
)
def import_contacts(request: Request) -> dict[str, Any]:
    """Import contacts from a CSV file or a workbook."""
    options = _options(request.query | request.data)
    refused = StringIO(newline="") if request.query.get("refused") else None
    report, suggested = import_file(
        request.instance,
        request.upload.file,
        options,
        refused=refused,
        actor_id=request.identity.id,
    )
    rows = refused.getvalue() if refused else ""
    return {**report.answer(), "refused": rows or None, "suggestedMapping": suggested}


def _options(values: dict[str, Any]) -> ImportOptions:
    return ImportOptions(
        charset=values.get("charset"),
        sheet=values.get("sheet"),
        columns=parse_map(values["map"]) if values.get("map") else None,
        mapping=values.get("mapping"),
        repeat=values.get("repeat", False),
        dry_run=values.get("dryRun", False),
    )
