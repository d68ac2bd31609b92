"""Store the languages of subscribers and newsletters, and the languages of an audience."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("email_subscriber", sa.Column("language", sa.Text()))
    op.add_column("email_newsletter", sa.Column("language", sa.Text()))
    op.add_column("email_newsletter", sa.Column("audience_languages", sa.JSON()))
