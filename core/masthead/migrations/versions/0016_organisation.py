"""Store the facts about the organisation, and the former slugs of items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead.db import UTCDateTime
from masthead.db.indexes import create_index_concurrently

revision = "0016"
down_revision = "0015"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    create_index_concurrently("ix_core_redirect_kind_item_id", "core_redirect", ["kind", "item_id"])
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
    op.create_table(
        "core_former_slug",
        sa.Column("kind", _KEY, nullable=False),
        sa.Column("slug", _KEY, nullable=False),
        sa.Column("item_id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("kind", "slug", name=op.f("pk_core_former_slug")),
    )
    op.create_index("ix_core_former_slug_kind_item_id", "core_former_slug", ["kind", "item_id"])
