"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0003"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "media_image",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "sha256", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("submitted", sa.Boolean(), nullable=False),
        sa.Column(
            "media_type",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("alt_text", sa.Text(), nullable=True),
        sa.Column("uploaded_at", UTCDateTime(), nullable=False),
        sa.Column(
            "uploaded_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("asked_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["uploaded_by"], ["core_user.id"], name=op.f("fk_media_image_uploaded_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_media_image")),
        sa.UniqueConstraint("key", name=op.f("uq_media_image_key")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("media_image", schema=None) as batch_op:
        batch_op.create_index(
            "ix_media_image_duplicates",
            ["sha256"],
            unique=True,
            sqlite_where=sa.text("submitted = 0"),
            postgresql_where=sa.text("NOT submitted"),
        )
        batch_op.create_index(
            "ix_media_image_submitted", ["submitted", "uploaded_at"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_media_image_uploaded_at_id"), ["uploaded_at", "id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_media_image_uploaded_by"), ["uploaded_by"], unique=False
        )

    op.create_table(
        "media_leftover",
        sa.Column(
            "key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_media_leftover")),
    )
