"""Find images by the names of the uploaded files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("media_image", sa.Column("original_name", sa.Text()))
    op.add_column("media_image", sa.Column("search_text", sa.Text()))
