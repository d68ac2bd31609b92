"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import ID, KEY, UTCDateTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "oidc_link",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("issuer", KEY, nullable=False),
        sa.Column("subject", KEY, nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("last_login_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["core_user.id"], name=op.f("fk_oidc_link_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oidc_link")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_oidc_link_issuer_subject")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_oidc_link_user_id", "oidc_link", ["user_id"])
    op.create_table(
        "oidc_login",
        sa.Column("id", ID, nullable=False),
        sa.Column("ticket", KEY, nullable=False),
        sa.Column("link_id", ID, nullable=False),
        sa.Column("id_token", sa.Text(), nullable=False),
        sa.Column("session_id", KEY, nullable=True),
        sa.Column("token_id", KEY, nullable=True),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["link_id"], ["oidc_link.id"], name=op.f("fk_oidc_login_link_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oidc_login")),
        sa.UniqueConstraint("ticket", name=op.f("uq_oidc_login_ticket")),
        sqlite_autoincrement=True,
    )
    for column in ("link_id", "session_id", "token_id", "expires_at"):
        op.create_index(f"ix_oidc_login_{column}", "oidc_login", [column])
