"""Order names as people do, unify the names of tags, and remember the former slugs of tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from masthead.db.folding import fold_name
from masthead.unicode.ordering import sort_key

revision = "0005"
down_revision = "0004"
exceptions = {
    "index": "tags are few",
    "rows-under-lock": "tags, users and roles are few",
}

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_BATCH = 1_000


def upgrade() -> None:
    for table, name in (("core_tag", "name"), ("core_user", "username"), ("core_role", "name")):
        op.add_column(table, sa.Column("sort_key", _KEY, nullable=False, server_default=""))
        _fill(table, name, "sort_key", sort_key)
    op.create_index(op.f("ix_core_tag_sort_key"), "core_tag", ["sort_key"])
    _unify_tags()
    op.create_table(
        "core_tag_former_slug",
        sa.Column("slug", _KEY, nullable=False),
        sa.Column("tag_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["tag_id"],
            ["core_tag.id"],
            name=op.f("fk_core_tag_former_slug_tag_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_core_tag_former_slug")),
    )
    op.create_index(op.f("ix_core_tag_former_slug_tag_id"), "core_tag_former_slug", ["tag_id"])
    # The stored JSON of lists has tags in their former order.
    op.execute("DELETE FROM core_seen WHERE kind = 'listings'")


def _fill(table: str, source: str, target: str, derive: Callable[[str], str]) -> None:
    columns: list[sa.ColumnClause[Any]] = [sa.column("id"), sa.column(source)]
    rows = op.get_bind().execute(sa.select(*columns).select_from(sa.table(table)))
    _update(table, target, [{"row": row.id, "new": derive(row[1])} for row in rows.all()])


def _unify_tags() -> None:
    """Give tags the new keys; of several with one new key, all but one keep the former key."""
    rows = op.get_bind().execute(sa.text("SELECT id, name, name_key FROM core_tag ORDER BY id"))
    tags = rows.all()
    taken = {row.name_key for row in tags}
    changed = []
    for row in tags:
        key = fold_name(row.name)
        if key not in taken:
            taken.add(key)
            changed.append({"row": row.id, "new": key})
    _update("core_tag", "name_key", changed)


def _update(table: str, column: str, rows: Sequence[Mapping[str, Any]]) -> None:
    changed = sa.table(table, sa.column("id"), sa.column(column))
    statement = sa.update(changed).where(changed.c.id == sa.bindparam("row"))
    statement = statement.values({column: sa.bindparam("new")})
    for start in range(0, len(rows), _BATCH):
        op.get_bind().execute(statement, rows[start : start + _BATCH])
