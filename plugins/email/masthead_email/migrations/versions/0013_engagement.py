"""Store the day of the last engagement of subscribers, their refusal, and tracked links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("engaged_at", UTCDateTime()))
    op.add_column(
        "email_subscriber",
        sa.Column("tracking_refused", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("email_newsletter", sa.Column("tracked_links", sa.JSON()))
    op.add_column("email_newsletter", sa.Column("audience_engaged_since", UTCDateTime()))
    op.add_column("email_newsletter", sa.Column("audience_idle_since", UTCDateTime()))
