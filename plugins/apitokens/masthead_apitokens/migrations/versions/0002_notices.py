"""Note the notices about the end of tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("apitokens_token", sa.Column("notified_at", UTCDateTime()))
