"""Store the languages of subscribers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("language", sa.Text()))
