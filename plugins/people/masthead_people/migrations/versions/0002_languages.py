"""Give people a language."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    for name in ("lang", "dir"):
        op.add_column("people_person", sa.Column(name, sa.Text(), nullable=True))
