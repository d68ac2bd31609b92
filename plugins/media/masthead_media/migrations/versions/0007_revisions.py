"""Give images a revision."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column(
        "media_image", sa.Column("revision", sa.Integer(), server_default="1", nullable=False)
    )
