"""What is to be done with contacts."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_crm.services import follow_ups


def show_dashboard(request: Request) -> Any:
    """What is to be done later, now, and what was done."""
    return follow_ups.dashboard(request.db)


def complete(request: Request) -> Any:
    """Complete a follow-up by hand."""
    follow_ups.complete(request.db, request.matchdict["id"])
    return {"success": True}
