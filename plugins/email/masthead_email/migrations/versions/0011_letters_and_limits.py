"""Keep the MJML of letters, the fields that select an audience, and the rate of relays."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, UTCDateTime

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for table in ("email_newsletter", "email_composed", "email_template"):
        op.add_column(table, sa.Column("mjml_content", sa.Text()))
    op.add_column("email_template", sa.Column("mjml_wrapper", sa.Text()))
    op.add_column("email_newsletter", sa.Column("audience_fields", sa.JSON()))
    op.add_column("email_relay", sa.Column("rate_limit", ID))
    op.add_column("email_relay", sa.Column("rate_limit_at", UTCDateTime()))
    op.add_column("email_relay", sa.Column("paused_domains", sa.JSON()))
