"""Store fields and topics of subscribers, and audience and archive of newsletters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("fields", sa.JSON()))
    op.add_column("email_subscriber", sa.Column("topics", sa.JSON()))
    op.add_column("email_message", sa.Column("values", sa.JSON()))
    op.add_column(
        "email_newsletter",
        sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("email_newsletter", sa.Column("audience_topics", sa.JSON()))
    op.add_column("email_newsletter", sa.Column("audience_sources", sa.JSON()))
    op.add_column("email_newsletter", sa.Column("audience_since", UTCDateTime()))
