"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_kit_table

revision = "0001"
down_revision = None


def upgrade() -> None:
    create_kit_table(
        "crm_stage",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "name_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("order", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("name_key", name=op.f("uq_crm_stage_name_key")),
        kit=1,
    )
    create_kit_table(
        "crm_contact",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column(
            "email_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=True
        ),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("stage_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(
            ["stage_id"], ["crm_stage.id"], name=op.f("fk_crm_contact_stage_id")
        ),
        sa.UniqueConstraint("email_key", name=op.f("uq_crm_contact_email_key")),
        kit=1,
        last=[sa.Column("notes", sa.Text(), nullable=True)],
    )
    with op.batch_alter_table("crm_contact", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_crm_contact_created_at_id"), ["created_at", "id"], unique=False
        )
        batch_op.create_index(
            "ix_crm_contact_stage", ["stage_id", "created_at", "id", "status"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_crm_contact_status_created_at_id"),
            ["status", "created_at", "id"],
            unique=False,
        )

    create_kit_table(
        "crm_rule",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("trigger_stage_id", sa.BigInteger(), nullable=False),
        sa.Column("days_after", sa.BigInteger(), nullable=False),
        sa.Column("catchup_type", sa.Text(), nullable=False),
        sa.Column("email_template_id", sa.BigInteger(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trigger_stage_id"], ["crm_stage.id"], name=op.f("fk_crm_rule_trigger_stage_id")
        ),
        kit=1,
    )
    with op.batch_alter_table("crm_rule", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_crm_rule_trigger_stage_id"), ["trigger_stage_id"], unique=False
        )

    op.create_table(
        "crm_contact_tag",
        sa.Column("item_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "tag_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("stage_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_contact_tag_item_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("item_id", "tag_key", name=op.f("pk_crm_contact_tag")),
        info={"private": True},
    )
    with op.batch_alter_table("crm_contact_tag", schema=None) as batch_op:
        batch_op.create_index(
            "ix_crm_contact_tag_listed",
            ["tag_key", "created_at", "item_id", "status", "stage_id"],
            unique=False,
        )

    op.create_table(
        "crm_merged_address",
        sa.Column(
            "contact_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column(
            "email_key",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("email", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["contact_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_merged_address_contact_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("contact_id", "email_key", name=op.f("pk_crm_merged_address")),
        info={"private": True},
    )
    with op.batch_alter_table("crm_merged_address", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_crm_merged_address_email_key"), ["email_key"], unique=False
        )

    op.create_table(
        "crm_entry",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "contact_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("stage_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("interaction_type", sa.String(), nullable=True),
        sa.Column("notes", sa.String(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column(
            "created_by_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.ForeignKeyConstraint(
            ["contact_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_entry_contact_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["created_by_id"], ["core_user.id"], name=op.f("fk_crm_entry_created_by_id")
        ),
        sa.ForeignKeyConstraint(
            ["stage_id"], ["crm_stage.id"], name=op.f("fk_crm_entry_stage_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crm_entry")),
        info={"private": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("crm_entry", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_crm_entry_contact_id_created_at_id"),
            ["contact_id", "created_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_crm_entry_created_by_id"), ["created_by_id"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_crm_entry_stage_id"), ["stage_id"], unique=False)

    op.create_table(
        "crm_follow_up",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "contact_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("rule_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reached_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("mail_tried_at", UTCDateTime(), nullable=True),
        sa.Column("completed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["contact_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_follow_up_contact_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["rule_id"], ["crm_rule.id"], name=op.f("fk_crm_follow_up_rule_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crm_follow_up")),
        info={"private": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("crm_follow_up", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_crm_follow_up_completed_at_id"), ["completed_at", "id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_crm_follow_up_contact_id"), ["contact_id"], unique=False
        )
        batch_op.create_index(
            "ix_crm_follow_up_due",
            ["due_at", "id"],
            unique=False,
            sqlite_where=sa.text("completed_at IS NULL"),
            postgresql_where=sa.text("completed_at IS NULL"),
        )
        batch_op.create_index(
            "ix_crm_follow_up_mail",
            ["due_at", "id"],
            unique=False,
            sqlite_where=sa.text("completed_at IS NULL AND mail_tried_at IS NULL"),
            postgresql_where=sa.text("completed_at IS NULL AND mail_tried_at IS NULL"),
        )
        batch_op.create_index(batch_op.f("ix_crm_follow_up_rule_id"), ["rule_id"], unique=False)
        batch_op.create_index(
            "uq_crm_follow_up_open",
            ["contact_id", "rule_id"],
            unique=True,
            sqlite_where=sa.text("completed_at IS NULL"),
            postgresql_where=sa.text("completed_at IS NULL"),
        )
