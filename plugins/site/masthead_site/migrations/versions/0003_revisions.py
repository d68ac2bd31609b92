"""Give the entries of the navigation and the texts about the organisation a revision."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for table in ("site_entry", "site_about_text"):
        op.add_column(
            table, sa.Column("revision", sa.Integer(), server_default="1", nullable=False)
        )
