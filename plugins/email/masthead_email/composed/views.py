"""Sending composed e-mails."""

from __future__ import annotations

from typing import Any

from masthead import Request
from masthead_email.composed import services


def send(request: Request) -> Any:
    """Send it now."""
    services.send(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}
