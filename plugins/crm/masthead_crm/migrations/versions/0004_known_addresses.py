"""Move the addresses of merged contacts to core, which remembers those of all items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0002"

_MERGED = sa.table(
    "crm_merged_address", sa.column("contact_id"), sa.column("email_key"), sa.column("email")
)
_CONTACT = sa.table("crm_contact", sa.column("id"), sa.column("created_at"))
_KNOWN = sa.table(
    "core_known_address",
    sa.column("kind"),
    sa.column("item_id"),
    sa.column("address_key"),
    sa.column("address"),
    sa.column("since"),
)


def upgrade() -> None:
    merged, contact = _MERGED.c, _CONTACT.c
    rows = (
        sa.select(
            sa.literal_column("'contacts'"),
            merged.contact_id,
            merged.email_key,
            merged.email,
            contact.created_at,
        )
        .select_from(_MERGED)
        .join(_CONTACT, contact.id == merged.contact_id)
    )
    op.execute(sa.insert(_KNOWN).from_select(list(_KNOWN.c.keys()), rows))
    op.drop_table("crm_merged_address")
