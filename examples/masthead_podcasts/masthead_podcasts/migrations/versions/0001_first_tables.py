"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "podcasts_episode",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column(
            "slug", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=True
        ),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("scheduled_publish_at", UTCDateTime(), nullable=True),
        sa.Column("audio_url", sa.Text(), nullable=False),
        sa.Column("audio_type", sa.Text(), nullable=False),
        sa.Column("audio_bytes", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=True),
        sa.Column("published_at", UTCDateTime(), nullable=True),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("approval_status", sa.String(length=8), nullable=False),
        sa.Column("approval_requested_at", UTCDateTime(), nullable=True),
        sa.Column(
            "approval_requested_by",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            nullable=True,
        ),
        sa.Column("approved_at", UTCDateTime(), nullable=True),
        sa.Column(
            "approved_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("rejected_at", UTCDateTime(), nullable=True),
        sa.Column(
            "rejected_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("rejection_reason", sa.String(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column(
            "created_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("edited_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.Column("first_published_at", UTCDateTime(), nullable=True),
        sa.Column("changed_at", UTCDateTime(), nullable=False),
        sa.Column("listed", sa.Text(), nullable=True),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("staged", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("position", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["approval_requested_by"],
            ["core_user.id"],
            name=op.f("fk_podcasts_episode_approval_requested_by"),
        ),
        sa.ForeignKeyConstraint(
            ["approved_by"], ["core_user.id"], name=op.f("fk_podcasts_episode_approved_by")
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["core_user.id"], name=op.f("fk_podcasts_episode_created_by")
        ),
        sa.ForeignKeyConstraint(
            ["edited_by"], ["core_user.id"], name=op.f("fk_podcasts_episode_edited_by")
        ),
        sa.ForeignKeyConstraint(
            ["rejected_by"], ["core_user.id"], name=op.f("fk_podcasts_episode_rejected_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_podcasts_episode")),
        sa.UniqueConstraint("slug", name=op.f("uq_podcasts_episode_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("podcasts_episode", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_podcasts_episode_created_by"), ["created_by"], unique=False
        )
        batch_op.create_index(
            "ix_podcasts_episode_hidden",
            ["id"],
            unique=False,
            sqlite_where=sa.text("published = 0"),
            postgresql_where=sa.text("NOT published"),
        )
        batch_op.create_index("ix_podcasts_episode_position", ["position", "id"], unique=False)
        batch_op.create_index(
            "ix_podcasts_episode_public",
            ["position", "id"],
            unique=False,
            sqlite_where=sa.text("published = 1"),
            postgresql_where=sa.text("published"),
        )
        batch_op.create_index(
            batch_op.f("ix_podcasts_episode_scheduled_publish_at"),
            ["scheduled_publish_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_podcasts_episode_season"), ["season"], unique=False)
        batch_op.create_index(
            "ix_podcasts_episode_unlisted",
            ["id"],
            unique=False,
            sqlite_where=sa.text("listed IS NULL AND published = 1"),
            postgresql_where=sa.text("listed IS NULL AND published"),
        )

    op.create_table(
        "podcasts_episode_tag",
        sa.Column("item_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tag_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("position", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["podcasts_episode.id"],
            name=op.f("fk_podcasts_episode_tag_item_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["tag_id"],
            ["core_tag.id"],
            name=op.f("fk_podcasts_episode_tag_tag_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("item_id", "tag_id", name=op.f("pk_podcasts_episode_tag")),
    )
    with op.batch_alter_table("podcasts_episode_tag", schema=None) as batch_op:
        batch_op.create_index(
            "ix_podcasts_episode_tag_list", ["tag_id", "position", "item_id"], unique=False
        )
