"""The endpoints that import contacts from a file, and export them."""

from __future__ import annotations

import io
from typing import Any

from pyramid.response import Response

from masthead import TABLE_TYPES, FileField, Request, endpoint, text_download
from masthead_crm import file_export, file_import, schemas
from masthead_crm.csv_import import ImportOptions
from masthead_crm.resource import CONTACTS
from masthead_crm.services.mappings import parse_map
from masthead_crm.settings import MAX_CSV


@endpoint(
    "POST",
    "/api/staff/contacts/bulk-import",
    name="staff.contacts.import",
    permission=CONTACTS.write_permission,
    query=schemas.IMPORT_QUERY,
    body=schemas.IMPORT_BODY,
    upload=FileField(max_bytes=MAX_CSV, accepts=(*TABLE_TYPES, "text/vcard")),
    returns=schemas.IMPORTED,
)
def import_contacts(request: Request) -> dict[str, Any]:
    """Import contacts from a CSV file, a workbook or vCards."""
    options = _options(request.query | request.data)
    refused = io.StringIO(newline="") if request.query.get("refused") else None
    report, suggested = file_import.import_contacts(
        request.instance,
        request.upload.file,
        options,
        refused=refused,
        actor_id=request.identity.id,
    )
    rows = refused.getvalue() if refused else ""
    return {**report.answer(), "refused": rows or None, "suggestedMapping": suggested}


@endpoint(
    "GET",
    "/api/staff/contacts/export",
    name="staff.contacts.export-all",
    permission=CONTACTS.read_permission,
    query=schemas.EXPORT_QUERY,
    returns="text/*",
)
def export_contacts(request: Request) -> Response:
    """Export all contacts as vCards, or as a CSV file that spreadsheets open safely."""
    kind = request.query.get("format", file_export.CSV)
    media_type, extension = file_export.KINDS[kind]
    return text_download(
        f"contacts.{extension}",
        media_type,
        lambda file: file_export.write_contacts(request.db, file, kind, spreadsheet_safe=True),
    )


def _options(values: dict[str, Any]) -> ImportOptions:
    return ImportOptions(
        charset=values.get("charset"),
        sheet=values.get("sheet"),
        columns=parse_map(values["map"]) if values.get("map") else None,
        mapping=values.get("mapping"),
        repeat=values.get("repeat", False),
        dry_run=values.get("dryRun", False),
    )
