"""Keep the MJML of letters, and the fields that select the audience of newsletters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0008"


def upgrade() -> None:
    for table in ("email_newsletter", "email_composed", "email_template"):
        op.add_column(table, sa.Column("mjml_content", sa.Text()))
    op.add_column("email_template", sa.Column("mjml_wrapper", sa.Text()))
    op.add_column("email_newsletter", sa.Column("audience_fields", sa.JSON()))
