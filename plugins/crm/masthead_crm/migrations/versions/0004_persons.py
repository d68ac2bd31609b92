"""Move the addresses of merged contacts to core, and add the keys that find duplicates."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead_crm.services.matching import mailbox_key, name_key, phone_key

revision = "0004"
down_revision = "0003"
exceptions = {
    "all-rows": "a database from before the first release; stop all processes",
    "dropped-table": "a database from before the first release; stop all processes",
    "index": "a database from before the first release; stop all processes",
    "rows-under-lock": "a database from before the first release; stop all processes",
}

_MERGED = sa.table(
    "crm_merged_address", sa.column("contact_id"), sa.column("email_key"), sa.column("email")
)
_CONTACT = sa.table(
    "crm_contact",
    sa.column("id"),
    sa.column("created_at"),
    sa.column("name"),
    sa.column("email"),
    sa.column("phone"),
    sa.column("name_key"),
    sa.column("mailbox_key"),
    sa.column("phone_key"),
)
_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BATCH = 1_000
_KNOWN = sa.table(
    "core_known_address",
    sa.column("kind"),
    sa.column("item_id"),
    sa.column("address_key"),
    sa.column("address"),
    sa.column("since"),
)


def upgrade() -> None:
    _move_addresses()
    _add_keys()
    _create_distinct_contacts()


def _move_addresses() -> None:
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


def _add_keys() -> None:
    for name in ("mailbox_key", "phone_key"):
        op.add_column("crm_contact", sa.Column(name, _KEY, nullable=True))
    op.add_column("crm_contact", sa.Column("name_key", _KEY, nullable=False, server_default=""))
    connection, contact = op.get_bind(), _CONTACT.c
    columns = contact.id, contact.name, contact.email, contact.phone
    last = 0
    while rows := connection.execute(
        sa.select(*columns).where(contact.id > last).order_by(contact.id).limit(_BATCH)
    ).all():
        last = rows[-1].id
        keys = [
            {
                "contact": row.id,
                "name_key": name_key(row.name),
                "mailbox_key": mailbox_key(row.email),
                "phone_key": phone_key(row.phone),
            }
            for row in rows
        ]
        statement = sa.update(_CONTACT).where(contact.id == sa.bindparam("contact"))
        connection.execute(statement, keys)
    op.create_index(op.f("ix_crm_contact_mailbox_key"), "crm_contact", ["mailbox_key"])
    op.create_index(op.f("ix_crm_contact_phone_key"), "crm_contact", ["phone_key"])
    op.create_index("ix_crm_contact_name", "crm_contact", ["name_key", "phone_key"])


def _create_distinct_contacts() -> None:
    op.create_table(
        "crm_distinct_contacts",
        sa.Column("contact_id", _ID, nullable=False),
        sa.Column("other_id", _ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["contact_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_distinct_contacts_contact_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["crm_contact.id"],
            name=op.f("fk_crm_distinct_contacts_other_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("contact_id", "other_id", name=op.f("pk_crm_distinct_contacts")),
    )
    op.create_index(
        op.f("ix_crm_distinct_contacts_other_id"), "crm_distinct_contacts", ["other_id"]
    )
