"""Add the keys of imported rows to contacts, and saved mappings of columns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import create_kit_table

revision = "0003"
down_revision = "0002"
exceptions = {
    "index": "a database from before the first release; stop all processes",
}


def upgrade() -> None:
    op.add_column(
        "crm_contact",
        sa.Column(
            "import_key",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            nullable=True,
        ),
    )
    op.create_index(
        "uq_crm_contact_import_key",
        "crm_contact",
        ["import_key"],
        unique=True,
        sqlite_where=sa.text("import_key IS NOT NULL"),
        postgresql_where=sa.text("import_key IS NOT NULL"),
    )
    create_kit_table(
        "crm_import_mapping",
        "resource",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "name_key", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("columns", sa.JSON(none_as_null=True), nullable=False),
        sa.UniqueConstraint("name_key", name=op.f("uq_crm_import_mapping_name_key")),
        kit=1,
    )
