"""Count the time of scaling images for visitors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column(
        "media_usage",
        sa.Column("scaling_milliseconds", sa.BigInteger(), server_default="0", nullable=False),
    )
