"""Store pauses of subscribers, and the times at which their addresses changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("paused_until", UTCDateTime()))
    op.add_column("email_subscriber", sa.Column("address_changed_at", UTCDateTime()))
