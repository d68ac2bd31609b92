"""List the items to index again, and note the time of the last change of content."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column(
        "core_content_version",
        sa.Column("changed_at", UTCDateTime(), nullable=True),
    )
    op.create_table(
        "core_search_outdated",
        sa.Column(
            "content_type",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "item_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("content_type", "item_id", name=op.f("pk_core_search_outdated")),
    )
