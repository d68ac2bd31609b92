"""Count the hand-overs to relays from each data folder, and keep why sending is paused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "email_handover",
        sa.Column("folder", KEY, nullable=False),
        sa.Column("count", ID, nullable=False),
        sa.PrimaryKeyConstraint("folder", name="pk_email_handover"),
    )
    op.add_column("email_outbox", sa.Column("reason", sa.String()))
    op.add_column("email_outbox", sa.Column("epoch", ID, nullable=False, server_default="0"))
