"""Store the trouble and the limits of relays, and refusals that aren't judged yet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("email_message", sa.Column("brake", ID))
    op.create_table(
        "email_refusal",
        sa.Column("delivery_id", ID, primary_key=True, autoincrement=False),
        sa.Column("group_id", ID, nullable=False),
        sa.Column("permanent", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("running", sa.Boolean(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
    )
    op.create_index("ix_email_refusal_group_id", "email_refusal", ["group_id"])
    op.create_table(
        "email_relay",
        sa.Column("name", KEY, primary_key=True),
        sa.Column("troubles", ID, nullable=False),
        sa.Column("trouble", sa.String()),
        sa.Column("trouble_since", UTCDateTime()),
        sa.Column("retry_at", UTCDateTime()),
        sa.Column("logins", sa.JSON()),
        sa.Column("login_limit", ID),
        sa.Column("login_limit_at", UTCDateTime()),
        sa.Column("message_limit", ID),
        sa.Column("message_limit_at", UTCDateTime()),
        sa.Column("day", sa.String()),
        sa.Column("day_sent", ID, nullable=False),
    )
