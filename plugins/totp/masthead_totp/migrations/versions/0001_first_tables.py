"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "totp_enrolment",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("confirmed_at", UTCDateTime(), nullable=True),
        sa.Column("last_step", ID, nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("locked_until", UTCDateTime(), nullable=True),
        sa.Column("setup_digest", KEY, nullable=True),
        sa.Column("setup_until", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_totp_enrolment_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_totp_enrolment")),
        sa.UniqueConstraint("setup_digest", name=op.f("uq_totp_enrolment_setup_digest")),
    )
    op.create_table(
        "totp_recovery_code",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("digest", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["totp_enrolment.user_id"],
            name=op.f("fk_totp_recovery_code_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_totp_recovery_code")),
        sa.UniqueConstraint("user_id", "digest", name=op.f("uq_totp_recovery_code_user_id_digest")),
        sqlite_autoincrement=True,
    )
