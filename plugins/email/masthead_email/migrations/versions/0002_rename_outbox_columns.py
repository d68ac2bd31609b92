"""Rename columns of the outbox to say what they hold."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
exceptions = {
    "dropped-column": "a database from before the first release; stop all processes",
    "required-column": "the columns are renamed",
}

_RENAMED = (
    ("email_message", "seed", "message_id_seed"),
    ("email_message", "trouble", "pause_reason"),
    ("email_outbox", "place", "database_id"),
    ("email_outbox", "claims", "runs"),
)


def upgrade() -> None:
    for table, old, new in _RENAMED:
        op.alter_column(table, old, new_column_name=new)
