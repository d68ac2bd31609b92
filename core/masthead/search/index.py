"""The search index: the table ``core_search``, and how each database writes and asks it.

A row is the text of an item as some of its readers see it. Without staged edits everybody sees the
same; with them the public goes on reading the live text, and staff read the staged one. So each of
the two finds its texts on shelves that lie side by side.

The table is made by a migration written by hand: an FTS5 table on SQLite, which knows nothing but
a rowid (content type, shelf and item in one number), and a table with a GIN index on PostgreSQL.
The content version doesn't notice what is written here, as text or to a private table: rows change
with content only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Insert,
    MetaData,
    Select,
    Table,
    TextClause,
    func,
    insert,
    literal,
    select,
    text,
)
from sqlalchemy.sql.selectable import TextualSelect

from masthead.db.content_version import PRIVATE
from masthead.search.tokens import Query

SHELVES = range(3)
PUBLIC_SHELF, COMMON_SHELF, STAFF_SHELF = SHELVES
PUBLIC = (PUBLIC_SHELF, COMMON_SHELF)
"""The first and the last shelf that the public reads."""
STAFF = (COMMON_SHELF, STAFF_SHELF)
"""The first and the last shelf that staff read."""


@dataclass(frozen=True)
class Index:
    """How one database writes and asks the index.

    The statements take ``content_type``, ``shelf`` and ``item_id``; ``add`` also ``tokens`` and
    ``runs``, as ``as_tokens`` and :func:`str` make them.
    """

    prepare: TextClause | None
    """Makes a content type known, where the database needs that."""
    add: TextClause
    add_selected: Callable[[str, Select[Any]], Insert]
    """Adds rows that everybody reads: gets a content type's name, and what selects the items' ids,
    tokens separated by blanks, and runs."""
    remove: TextClause
    as_tokens: Callable[[Sequence[str]], Any]
    as_match: Callable[[Query], str]
    as_runs: Callable[[Sequence[str]], Any]
    indexed: TextClause
    """Selects the items of a content type that have a row."""
    hits: TextClause
    """Selects the items whose texts have ``:match`` and ``:runs``."""
    plan: TextClause | None
    """What makes the planner plan well in the rest of the transaction."""
    hints: bool
    """Whether statements say how they use the hits, as the planner can't tell how many there are.
    """
    most_walked: int
    """Of how many hits the list's order may be walked in that way."""

    def select_hits(self, content_type: str, readers: tuple[int, int]) -> TextualSelect:
        """The ids of the items that are found, as ``item_id``; it takes ``match`` and ``runs``.

        :param readers: ``PUBLIC`` or ``STAFF``.
        """
        first, last = readers
        statement = self.hits.bindparams(searched=content_type, first=first, last=last)
        return statement.columns(item_id=BigInteger())

    def select_indexed(self, content_type: str) -> TextualSelect:
        """The ids of all items of a content type that have a row, as ``item_id``."""
        statement = self.indexed.bindparams(searched=content_type)
        return statement.columns(item_id=BigInteger())


def index_of(dialect: str) -> Index:
    """The index of ``sqlite`` or ``postgresql``."""
    return _SQLITE if dialect == "sqlite" else _POSTGRESQL


def _fts5_expression(query: Query) -> str:
    # Tokens are letters, digits and marks: nothing in them ends a string.
    prefixes = [f'"{prefix}"*' for prefix in query.prefixes]
    return " AND ".join([*prefixes, *(f'"{token}"' for token in query.tokens)])


def _tsquery(query: Query) -> str:
    prefixes = [f"'{prefix}':*" for prefix in query.prefixes]
    return " & ".join([*prefixes, *(f"'{token}'" for token in query.tokens)])


def _add_to_fts5(content_type: str, texts: Select[Any]) -> Insert:
    item_id, tokens, runs = texts.subquery().c
    place = text("SELECT (id * 3 + :shelf) << 47 FROM core_search_type WHERE name = :name")
    first = place.bindparams(shelf=COMMON_SHELF, name=content_type).columns(place=BigInteger())
    rows = select(first.scalar_subquery().op("|")(item_id), tokens, runs)
    return insert(_table("rowid")).from_select(["rowid", "tokens", "runs"], rows)


def _add_vectors(content_type: str, texts: Select[Any]) -> Insert:
    item_id, tokens, runs = texts.subquery().c
    vector = func.array_to_tsvector(func.string_to_array(tokens, " "))
    rows = select(item_id, literal(content_type), literal(COMMON_SHELF), vector, runs)
    places = ["item_id", "content_type", "shelf"]
    return insert(_table(*places)).from_select([*places, "tokens", "runs"], rows)


def _table(*places: str) -> Table:
    return Table(
        "core_search",
        MetaData(),
        *(Column(name) for name in (*places, "tokens", "runs")),
        info=PRIVATE,
    )


# The numbers in it: three shelves; an id below 2**47, and 2**47 - 1, the mask that leaves it.
_SQLITE = Index(
    prepare=text(
        "INSERT INTO core_search_type (name) VALUES (:content_type) ON CONFLICT DO NOTHING"
    ),
    add=text("""
        INSERT INTO core_search (rowid, tokens, runs)
        SELECT (id * 3 + :shelf) << 47 | :item_id, :tokens, :runs
        FROM core_search_type WHERE name = :content_type
    """),
    add_selected=_add_to_fts5,
    remove=text("""
        DELETE FROM core_search
        WHERE rowid = (SELECT (id * 3 + :shelf) << 47 | :item_id
                       FROM core_search_type WHERE name = :content_type)
    """),
    as_tokens=" ".join,
    as_match=_fts5_expression,
    as_runs=lambda runs: json.dumps(runs, ensure_ascii=False),
    indexed=text("""
        SELECT rowid & 140737488355327 AS item_id FROM core_search
        WHERE rowid >= (SELECT (id * 3) << 47 FROM core_search_type WHERE name = :searched)
          AND rowid < (SELECT (id * 3 + 3) << 47 FROM core_search_type WHERE name = :searched)
    """),
    hits=text("""
        SELECT rowid & 140737488355327 AS item_id FROM core_search
        WHERE core_search MATCH :match
          AND rowid >= (SELECT (id * 3 + :first) << 47 FROM core_search_type WHERE name = :searched)
          AND rowid < (SELECT (id * 3 + :last + 1) << 47
                       FROM core_search_type WHERE name = :searched)
          AND (:runs = '[]' OR NOT EXISTS (
                   SELECT 1 FROM json_each(:runs) WHERE instr(core_search.runs, value) = 0))
    """),
    plan=None,
    hints=True,
    most_walked=2**47,
)
_POSTGRESQL = Index(
    prepare=None,
    add=text(
        "INSERT INTO core_search (item_id, content_type, shelf, tokens, runs) VALUES (:item_id,"
        " :content_type, :shelf, array_to_tsvector(CAST(:tokens AS text[])), :runs)"
    ),
    add_selected=_add_vectors,
    remove=text(
        "DELETE FROM core_search"
        " WHERE item_id = :item_id AND content_type = :content_type AND shelf = :shelf"
    ),
    as_tokens=list,
    as_match=_tsquery,
    as_runs=list,
    indexed=text("SELECT item_id FROM core_search WHERE content_type = :searched"),
    hits=text("""
        SELECT item_id FROM core_search
        WHERE tokens @@ CAST(:match AS tsquery)
          AND content_type = :searched AND shelf BETWEEN :first AND :last
          AND (CAST(:runs AS text[]) = '{}' OR NOT EXISTS (
                   SELECT 1 FROM unnest(CAST(:runs AS text[])) AS run
                   WHERE strpos(core_search.runs, run) = 0))
    """),
    # How often a word occurs makes all the difference to a plan. The planner doesn't know what it
    # costs to unpack the tokens of each row in turn, nor that starting to compile or to work in
    # parallel takes longer than the rest.
    plan=text(
        "SELECT set_config('plan_cache_mode', 'force_custom_plan', true),"
        " set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),"
        " set_config('max_parallel_workers_per_gather', '0', true)"
    ),
    hints=False,
    # It underrates what looking up thousands of items costs; of more, it walks the order by itself.
    most_walked=10_000,
)
