"""Store the class of failed deliveries, and the kind and the message of suppressions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("email_delivery", sa.Column("failure", sa.String()))
    op.add_column(
        "email_suppression",
        sa.Column("kind", sa.String(), nullable=False, server_default="recipient-gone"),
    )
    op.add_column("email_suppression", sa.Column("message_id", ID))
