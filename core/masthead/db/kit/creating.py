"""Create a table that uses the kit, in a revision of a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Table
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS
from masthead.db.kit.records import record
from masthead.db.kit.tables import shape
from masthead.errors import StartError


def create_kit_table(
    name: str,
    mixin: str,
    *own: SchemaItem,
    kit: int,
    position: TypeEngine[Any] | None = None,
    last: Sequence[Column[Any]] = (),
) -> Table:
    """Create a table of items in a revision, with the kit's columns, indexes and link tables.

    The function records the table's step. ``masthead db upgrade`` applies the steps of later kits.

    :param mixin: ``content``, ``approvable``, ``resource`` or ``named``: the mixin of the model.
    :param own: the plugin's own columns and constraints.
    :param kit: the number of the kit that creates the table: the newest one when the revision is
        written. It never changes; the plugin needs a core that has this kit.
    :param position: for ``content``, the type of the field that orders the content type:
        ``UTCDateTime()``, ``sa.BigInteger()`` or the type ``KEY``.
    :param last: own columns after those of the kit, such as long texts.
    :returns: the table, for inserting initial rows.
    :raises StartError: if this core has no such kit.
    """
    # Alembic takes long to load.
    from alembic import op

    if not 1 <= kit <= steps.newest():
        raise StartError(
            f"{name} is created with kit {kit}, masthead-core has kit {steps.newest()};"
            " upgrade masthead-core"
        )
    tables = shape(name, mixin, kit, position, own, last)
    if not tables:
        raise StartError(f"kit {kit} has no mixin {mixin}")
    connection = op.get_bind()
    for table in tables.values():
        table.create(connection)
    record(connection, name, mixin, kit)
    return tables[ITEMS]
