"""The steps of a contact."""

from __future__ import annotations

from typing import Any

from masthead import Page, Request
from masthead_crm.services import progression
from masthead_crm.services.contacts import lock_contact


def list_entries(request: Request) -> Page:
    """The steps of a contact, the newest first."""
    return progression.list_entries(request.db, request.matchdict["id"], request.window)


def add_entry(request: Request) -> Any:
    """Log a step of a contact."""
    contact = lock_contact(request.db, request.matchdict["id"])
    return progression.add_entry(request.db, contact, request.data, request.identity)
