"""Store further fields of subscribers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("fields", sa.JSON()))
