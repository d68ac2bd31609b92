"""Store the time, the IP address and the confirmation of subscriptions, and why they ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import UTCDateTime

revision = "0007"
down_revision = "0006"

_COLUMNS = {
    "subscribed_at": UTCDateTime,
    "subscribed_ip": sa.Text,
    "confirmed_at": UTCDateTime,
    "confirmed_ip": sa.Text,
    "unsubscribe_kind": sa.Text,
    "unsubscribe_reason": sa.Text,
}


def upgrade() -> None:
    for name, kind in _COLUMNS.items():
        op.add_column("email_subscriber", sa.Column(name, kind()))
