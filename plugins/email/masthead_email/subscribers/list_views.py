"""The endpoints of staff for many subscribers: import, export and operations."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead import (
    BULK_RESULT,
    TABLE_TYPES,
    FileField,
    Request,
    endpoint,
    text_download,
    write_csv,
)
from masthead_email.settings import MAX_CSV
from masthead_email.subscribers import schemas
from masthead_email.subscribers.bulk import run_bulk
from masthead_email.subscribers.csv_export import HEADER, export_rows
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from masthead_email.subscribers.resource import SUBSCRIBERS

_PATH = f"/api/staff/{SUBSCRIBERS.path}"
_CSV = "text/csv"


@endpoint(
    "POST",
    f"{_PATH}/bulk-import",
    name="staff.newsletter-subscribers.import",
    permission=SUBSCRIBERS.write_permission,
    also_needs=SUBSCRIBERS.also_needs,
    query=schemas.IMPORT_QUERY,
    body=schemas.IMPORT_BODY,
    upload=FileField(max_bytes=MAX_CSV, accepts=TABLE_TYPES),
    returns=schemas.IMPORTED,
)
def import_file(request: Request) -> dict[str, Any]:
    """Import subscribers from a table, also from an export of another newsletter tool."""
    options = ImportOptions(
        source=request.data.get("source") or ImportOptions.source,
        charset=request.data.get("charset"),
        file_name=request.upload.filename,
        ignore=list(filter(str.strip, request.data.get("ignore", "").splitlines())),
        dry_run=request.query.get("dryRun", False),
        actor_id=request.identity.id,
    )
    report = import_subscribers(request.instance, request.upload.file, options)
    return report.answer() | {"updated": report.updated}


@endpoint(
    "GET",
    f"{_PATH}/export",
    name="staff.newsletter-subscribers.export",
    permission=SUBSCRIBERS.read_permission,
    query=schemas.EXPORT_QUERY,
    returns=_CSV,
)
def export(request: Request) -> Response:
    """Export subscribers as a CSV file that spreadsheets open safely."""
    rows = export_rows(request.db, request.query.get("status"))
    return text_download(
        "subscribers.csv",
        _CSV,
        lambda file: write_csv(file, HEADER, rows, spreadsheet_safe=True),
    )


@endpoint(
    "POST",
    f"{_PATH}/bulk",
    name="staff.newsletter-subscribers.bulk",
    permission=SUBSCRIBERS.write_permission,
    also_needs=SUBSCRIBERS.also_needs,
    body=schemas.BULK_BODY,
    returns=BULK_RESULT,
)
def bulk(request: Request) -> dict[str, Any]:
    """Unsubscribe or delete many subscribers, or set their source or language."""
    data = request.data
    return run_bulk(request.db, data["operation"], data["ids"], data, request.identity)
