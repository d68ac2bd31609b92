"""Making a table that uses the kit, in the first revision of a plugin."""

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
    """Make a table of items in a revision, with what the kit brings to it: columns, indexes, links.

    What later kits add comes by ``masthead db upgrade``, which finds out by a record of the table.

    :param mixin: ``content``, ``approvable``, ``resource`` or ``named``: the mixin of the model.
    :param own: the plugin's own columns and constraints.
    :param kit: the number of the kit that the table is made by, today's when the revision is
        written. It never changes; the plugin needs a core that has this kit.
    :param position: of ``content``, the type of the field that the content type is ordered by:
        ``UTCDateTime()``, ``sa.BigInteger()`` or the type ``KEY``.
    :param last: own columns that stand behind those of the kit, such as long texts.
    :returns: the table, for rows that it has from the start.
    :raises StartError: where this core has no such kit.
    """
    # Alembic takes a while to load.
    from alembic import op

    if not 1 <= kit <= steps.newest():
        raise StartError(
            f"{name} is made by kit {kit}, masthead-core has kit {steps.newest()};"
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
