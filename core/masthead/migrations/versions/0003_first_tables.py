"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0003"
down_revision = None

# The search index, which no model declares.
# The tokenizer treats every byte beyond ASCII as part of a token, so it keeps tokens unchanged.
SQLITE = (
    """
    CREATE VIRTUAL TABLE core_search USING fts5(
        tokens, runs UNINDEXED,
        tokenize = 'ascii', detail = none, columnsize = 0, prefix = '3'
    )
    """,
    "CREATE TABLE core_search_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
)
# Queries use the index on the tokens and rarely read the tokens themselves. The low target stores
# them outside the rows, so that counting hits reads fewer pages. Compressing them would save little
# space and slow down every row that is read.
POSTGRESQL = (
    """
    CREATE TABLE core_search (
        item_id BIGINT NOT NULL,
        content_type TEXT NOT NULL,
        shelf SMALLINT NOT NULL,
        runs TEXT NOT NULL,
        tokens TSVECTOR NOT NULL,
        CONSTRAINT pk_core_search PRIMARY KEY (item_id, content_type, shelf)
    ) WITH (toast_tuple_target = 128)
    """,
    "ALTER TABLE core_search ALTER runs SET STORAGE EXTERNAL, ALTER tokens SET STORAGE EXTERNAL",
    "CREATE INDEX ix_core_search_tokens ON core_search USING gin (tokens)",
)


def upgrade() -> None:
    op.create_table(
        "core_content_version",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("token", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_content_version")),
    )
    op.create_table(
        "core_job",
        sa.Column(
            "name", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("leased_by", sa.String(), nullable=True),
        sa.Column("lease_until", UTCDateTime(), nullable=True),
        sa.Column("runs", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("last_run_at", UTCDateTime(), nullable=True),
        sa.Column("failures", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_core_job")),
        info={"private": True},
    )
    op.create_table(
        "core_login_failure",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("count", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_core_login_failure")),
        info={"private": True},
    )
    with op.batch_alter_table("core_login_failure", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_core_login_failure_since"), ["since"], unique=False)

    op.create_table(
        "core_role",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column(
            "name_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("description", sa.String(), nullable=True),
        sa.Column("built_in", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_role")),
        sa.UniqueConstraint("name_key", name=op.f("uq_core_role_name_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "core_seen",
        sa.Column(
            "kind", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "name", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.PrimaryKeyConstraint("kind", "name", name=op.f("pk_core_seen")),
    )
    op.create_table(
        "core_tag",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column(
            "name_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column(
            "slug", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_tag")),
        sa.UniqueConstraint("name_key", name=op.f("uq_core_tag_name_key")),
        sa.UniqueConstraint("slug", name=op.f("uq_core_tag_slug")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "core_user",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("username", sa.String(), nullable=False),
        sa.Column(
            "username_key",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column(
            "email_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=True
        ),
        sa.Column("display_name", sa.String(), nullable=True),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column(
            "generation", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("kept_token", sa.String(), nullable=True),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_user")),
        sa.UniqueConstraint("email_key", name=op.f("uq_core_user_email_key")),
        sa.UniqueConstraint("username_key", name=op.f("uq_core_user_username_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "core_worker",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_worker")),
        info={"private": True},
    )
    op.create_table(
        "core_approver",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "content_type",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("role_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["role_id"], ["core_role.id"], name=op.f("fk_core_approver_role_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_approver")),
        sa.UniqueConstraint(
            "content_type", "role_id", name=op.f("uq_core_approver_content_type_role_id")
        ),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("core_approver", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_core_approver_role_id"), ["role_id"], unique=False)

    op.create_table(
        "core_audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("actor_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=True),
        sa.Column(
            "content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["core_user.id"], name=op.f("fk_core_audit_actor_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_audit")),
        info={"private": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("core_audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_core_audit_actor_id"), ["actor_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_core_audit_at"), ["at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_core_audit_content_type_content_id_at"),
            ["content_type", "content_id", "at"],
            unique=False,
        )

    op.create_table(
        "core_notification",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=True),
        sa.Column(
            "content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True
        ),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("read_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_core_notification_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_core_notification")),
        info={"private": True},
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("core_notification", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_core_notification_read_at"),
            ["read_at"],
            unique=False,
            sqlite_where=sa.text("read_at IS NOT NULL"),
            postgresql_where=sa.text("read_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_core_notification_unread",
            ["user_id", "created_at", "id"],
            unique=False,
            sqlite_where=sa.text("read_at IS NULL"),
            postgresql_where=sa.text("read_at IS NULL"),
        )
        batch_op.create_index(
            batch_op.f("ix_core_notification_user_id_created_at_id"),
            ["user_id", "created_at", "id"],
            unique=False,
        )

    op.create_table(
        "core_role_permission",
        sa.Column("role_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "permission",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["role_id"],
            ["core_role.id"],
            name=op.f("fk_core_role_permission_role_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("role_id", "permission", name=op.f("pk_core_role_permission")),
    )
    op.create_table(
        "core_user_role",
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("role_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["role_id"],
            ["core_role.id"],
            name=op.f("fk_core_user_role_role_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["core_user.id"],
            name=op.f("fk_core_user_role_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "role_id", name=op.f("pk_core_user_role")),
    )
    with op.batch_alter_table("core_user_role", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_core_user_role_role_id"), ["role_id"], unique=False)

    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        op.execute(statement)
