"""The import of a file."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_crm.services.importing import import_contacts as run_import


def import_contacts(request: Request) -> Any:
    """Import the file that was sent, in a transaction of the import's own."""
    result = run_import(
        request.instance,
        request.upload.file,
        request.data.get("charset"),
        dry_run=request.query.get("dryRun", False),
        actor_id=request.identity.id,
    )
    return {
        "success": True,
        "imported": result.imported,
        "skipped": result.skipped,
        "errorCount": result.error_count,
        "errors": result.errors,
    }
