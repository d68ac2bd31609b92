"""Add the indexes of lists of subscribers, which sorted all of them for each page."""

from __future__ import annotations

from masthead import create_index_concurrently

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    for columns in (["created_at", "id"], ["status", "created_at", "id"], ["updated_at", "id"]):
        name = f"ix_email_subscriber_{'_'.join(columns)}"
        create_index_concurrently(name, "email_subscriber", columns)
