"""Redirect former paths of the website to items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "core_redirect",
        sa.Column("id", _ID, nullable=False),
        sa.Column("path", _KEY, nullable=False),
        sa.Column("kind", _KEY, nullable=True),
        sa.Column("item_id", _ID, nullable=True),
        sa.Column("target", _KEY, nullable=True),
        sa.CheckConstraint(
            "(item_id IS NULL) <> (target IS NULL)", name=op.f("ck_core_redirect_one_target")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_redirect")),
        sa.UniqueConstraint("path", name=op.f("uq_core_redirect_path")),
        sqlite_autoincrement=True,
    )
