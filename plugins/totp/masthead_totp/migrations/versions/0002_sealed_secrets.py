"""Add the encrypted secrets; ``masthead db upgrade`` then encrypts the existing ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("totp_enrolment", sa.Column("sealed_secret", sa.Text()))
