"""Webhooks can leave out all calls but the last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column(
        "webhooks_webhook",
        sa.Column("latest_only", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
