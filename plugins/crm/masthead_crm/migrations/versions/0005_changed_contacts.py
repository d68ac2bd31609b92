"""Add the index of lists of the contacts that have changed since a time."""

from __future__ import annotations

from masthead import create_index_concurrently

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    create_index_concurrently("ix_crm_contact_updated_at", "crm_contact", ["updated_at"])
