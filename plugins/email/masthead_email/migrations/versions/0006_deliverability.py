"""Store retries and summaries of messages, and requests to confirm suppressed addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime, create_index_concurrently

revision = "0006"
down_revision = "0005"


def _flag(name: str, default: sa.ColumnElement[bool]) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=default)


def upgrade() -> None:
    create_index_concurrently("ix_email_suppression_at", "email_suppression", ["at", "address"])
    create_index_concurrently("ix_email_suppression_message", "email_suppression", ["message_id"])
    op.add_column("email_message", sa.Column("retried_at", UTCDateTime()))
    # Staff needn't hear about newsletters that were sent long ago.
    op.add_column("email_message", _flag("summarized", sa.true()))
    op.add_column("email_message", _flag("to_suppressed", sa.false()))
    op.add_column("email_suppression", sa.Column("asked_at", UTCDateTime()))
