"""Unify tags of contacts whose names differ in blanks or invisibly."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from masthead import fold_name

revision = "0002"
down_revision = "0001"

_LINKS = sa.table("crm_contact_tag", sa.column("item_id"), sa.column("tag_key"))


def upgrade() -> None:
    connection = op.get_bind()
    links = _LINKS.c
    for key in connection.scalars(sa.select(links.tag_key).distinct()).all():
        unified = fold_name(key)
        if unified != key:
            old = links.tag_key == key
            linked = sa.select(links.item_id).where(links.tag_key == unified)
            connection.execute(
                sa.update(_LINKS).where(old, links.item_id.not_in(linked)).values(tag_key=unified)
            )
            connection.execute(sa.delete(_LINKS).where(old))
