"""The endpoints of staff for many subscribers: import, export and operations."""

from __future__ import annotations

import io
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from pyramid.response import FileIter, Response

from masthead import TABLE_TYPES, FileField, Request, endpoint, write_csv
from masthead_email.settings import MAX_CSV
from masthead_email.subscribers import schemas
from masthead_email.subscribers.bulk import run_bulk
from masthead_email.subscribers.csv_export import HEADER, export_rows
from masthead_email.subscribers.csv_import import ImportOptions, import_subscribers
from masthead_email.subscribers.resource import SUBSCRIBERS

_PATH = f"/api/staff/{SUBSCRIBERS.path}"
_CSV = "text/csv"
_IN_MEMORY = 1024 * 1024
"""The number of bytes of an export up to which it isn't written to a temporary file."""


class _ClosedAtEnd(FileIter):  # type: ignore[misc]  # Pyramid has no type hints
    """A file as the body of a response; not every WSGI server closes bodies."""

    def __next__(self) -> bytes:
        try:
            return bytes(super().__next__())
        except StopIteration:
            self.close()
            raise


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
    # The response closes the file, at the latest when it has been read.
    file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
    text = io.TextIOWrapper(cast("IO[bytes]", file), encoding="utf-8", newline="")
    write_csv(
        text, HEADER, export_rows(request.db, request.query.get("status")), spreadsheet_safe=True
    )
    text.detach()
    length = file.tell()
    file.seek(0)
    response = Response(content_type=_CSV, charset="UTF-8", app_iter=_ClosedAtEnd(file))
    response.content_length = length
    response.content_disposition = 'attachment; filename="subscribers.csv"'
    return response


@endpoint(
    "POST",
    f"{_PATH}/bulk",
    name="staff.newsletter-subscribers.bulk",
    permission=SUBSCRIBERS.write_permission,
    also_needs=SUBSCRIBERS.also_needs,
    body=schemas.BULK_BODY,
    returns=schemas.BULK,
)
def bulk(request: Request) -> dict[str, Any]:
    """Unsubscribe or delete many subscribers, or set their source."""
    data = request.data
    return run_bulk(
        request.db, data["operation"], data["ids"], data.get("source"), request.identity
    )
