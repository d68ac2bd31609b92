"""Store the facts about the organisation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime

revision = "0016"
down_revision = "0014"

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "core_organisation",
        sa.Column("id", _ID, autoincrement=False, nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=True)
            for name in ("name", "tagline", "description", "language", "time_zone")
        ),
        sa.Column("social", sa.JSON(none_as_null=True), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=True) for name in ("email", "phone", "address")),
        sa.Column("footer", sa.Text(), nullable=True),
        sa.Column("revision", _ID, nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_organisation")),
    )
