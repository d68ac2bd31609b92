"""Store the versions of tables, and the key of entity tags, with the content version."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
exceptions = {
    "all-rows": "the table has only one row",
    "rows-under-lock": "the table has only one row",
}


def upgrade() -> None:
    for name in ("tables", "tables_token", "tag_key"):
        op.add_column("core_content_version", sa.Column(name, sa.Text()))
    # Without a row, the first change stores a key.
    set_key = sa.text("UPDATE core_content_version SET tag_key = :tag_key")
    op.get_bind().execute(set_key, {"tag_key": secrets.token_hex(32)})
