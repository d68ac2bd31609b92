"""Note the times of logins, because a recent one proves the person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("oidc_login", sa.Column("created_at", UTCDateTime()))
