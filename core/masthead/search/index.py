"""The search index: the table ``core_search``, and the statements of each database for it.

A row is the text of an item as an audience sees it. An item without staged edits has one row, for
everybody. With staged edits it has two: the live text for the public, the staged text for staff.
The audiences are numbered so that those of the public and those of staff are adjacent.

A handwritten migration creates the table: an FTS5 table on SQLite, whose only key is the rowid
(content type, audience and item in one number), and a table with a GIN index on PostgreSQL. The
columns ``shelf`` and ``runs`` hold the audience and the n-gram text. Writes to the index don't
change the content version, because rows change only together with content.
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
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import TextualSelect

from masthead.db.changed_tables import PRIVATE
from masthead.db.read_tables import READS
from masthead.search.tokens import Query

AUDIENCES = range(3)
PUBLIC_ONLY, EVERYBODY, STAFF_ONLY = AUDIENCES
PUBLIC = (PUBLIC_ONLY, EVERYBODY)
"""The first and the last audience that the public belongs to."""
STAFF = (EVERYBODY, STAFF_ONLY)
"""The first and the last audience that staff belong to."""


@dataclass(frozen=True)
class Index:
    """The statements with which one database writes and searches the index.

    ``add`` and ``remove`` take ``content_type``, ``audience`` and ``item_id``; ``add`` also takes
    ``tokens``, separated by blanks, and ``ngram_text``.
    """

    prepare: TextClause | None
    """Registers a content type, where the database needs that."""
    add: TextClause
    add_selected: Callable[[str, Select[Any]], Insert]
    """Return the statement that adds rows for everybody, given a content type's name and a
    statement that selects the items' ids, their tokens separated by blanks, and n-gram texts."""
    remove: TextClause
    as_match: Callable[[Query], str]
    as_substrings: Callable[[Sequence[str]], Any]
    indexed: TextClause
    """Selects the items of a content type that have a row."""
    hits: TextClause
    """Selects the items whose text matches ``:match`` and has all ``:substrings``."""
    planner_options: TextClause | None
    """Sets options of the planner for the rest of the transaction."""
    needs_hints: bool
    """Whether statements have to prescribe an order scan or a hit scan, because the planner can't
    estimate the number of hits."""
    max_order_scan: int
    """The number of hits up to which a statement may prescribe an order scan."""

    def select_hits(self, content_type: str, readers: tuple[int, int]) -> TextualSelect:
        """Return the statement that selects the ids of the hits as ``item_id``.

        It takes ``match`` and ``substrings``.

        :param readers: ``PUBLIC`` or ``STAFF``.
        """
        first, last = readers
        statement = self.hits.bindparams(searched=content_type, first=first, last=last)
        return statement.execution_options(**_NO_TABLE).columns(item_id=BigInteger())

    def select_indexed(self, content_type: str) -> TextualSelect:
        """Return the statement that selects the ids of all indexed items as ``item_id``."""
        statement = self.indexed.bindparams(searched=content_type)
        return statement.columns(item_id=BigInteger())


def index_of(dialect: str) -> Index:
    """Return the index of ``sqlite`` or ``postgresql``."""
    return _SQLITE if dialect == "sqlite" else _POSTGRESQL


def prepared_index(session: Session, content_type: str) -> Index:
    """Return the index of a session's database, after registering a content type to write."""
    index = index_of(session.get_bind().dialect.name)
    if index.prepare is not None:
        session.execute(index.prepare, {"content_type": content_type})
    return index


def _fts5_expression(query: Query) -> str:
    # Tokens consist of letters, digits and marks, so none of them needs quoting.
    prefixes = [f'"{prefix}"*' for prefix in query.prefixes]
    return " AND ".join([*prefixes, *(f'"{token}"' for token in query.tokens)])


def _tsquery(query: Query) -> str:
    prefixes = [f"'{prefix}':*" for prefix in query.prefixes]
    return " & ".join([*prefixes, *(f"'{token}'" for token in query.tokens)])


def _add_to_fts5(content_type: str, texts: Select[Any]) -> Insert:
    item_id, tokens, ngram_text = texts.subquery().c
    base = text("SELECT (id * 3 + :audience) << 47 FROM core_search_type WHERE name = :name")
    first = base.bindparams(audience=EVERYBODY, name=content_type).columns(base=BigInteger())
    rows = select(first.scalar_subquery().op("|")(item_id), tokens, ngram_text)
    return insert(_table("rowid")).from_select(["rowid", "tokens", "runs"], rows)


def _add_vectors(content_type: str, texts: Select[Any]) -> Insert:
    item_id, tokens, ngram_text = texts.subquery().c
    vector = func.array_to_tsvector(func.string_to_array(tokens, " "))
    rows = select(item_id, literal(content_type), literal(EVERYBODY), vector, ngram_text)
    keys = ["item_id", "content_type", "shelf"]
    return insert(_table(*keys)).from_select([*keys, "tokens", "runs"], rows)


def _table(*keys: str) -> Table:
    return Table(
        "core_search",
        MetaData(),
        *(Column(name) for name in (*keys, "tokens", "runs")),
        info=PRIVATE,
    )


_NO_TABLE = {READS: ()}
"""The index changes only with its items, which each search of the public reads, too."""

# A rowid has the item's id, below 2**47, in its lower bits; 140737488355327 is their mask. Above
# them is the number of the content type and audience, of which each type has three.
_SQLITE = Index(
    prepare=text(
        "INSERT INTO core_search_type (name) VALUES (:content_type) ON CONFLICT DO NOTHING"
    ),
    # Before an INSERT … SELECT, FTS5 writes the rows that it holds in memory.
    add=text("""
        INSERT INTO core_search (rowid, tokens, runs) VALUES (
            (SELECT (id * 3 + :audience) << 47 | :item_id
             FROM core_search_type WHERE name = :content_type),
            :tokens, :ngram_text)
    """),
    add_selected=_add_to_fts5,
    remove=text("""
        DELETE FROM core_search
        WHERE rowid = (SELECT (id * 3 + :audience) << 47 | :item_id
                       FROM core_search_type WHERE name = :content_type)
    """),
    as_match=_fts5_expression,
    as_substrings=lambda substrings: json.dumps(substrings, ensure_ascii=False),
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
          AND (:substrings = '[]' OR NOT EXISTS (
                   SELECT 1 FROM json_each(:substrings) WHERE instr(core_search.runs, value) = 0))
    """),
    planner_options=None,
    needs_hints=True,
    max_order_scan=2**47,
)
_POSTGRESQL = Index(
    prepare=None,
    add=text(
        "INSERT INTO core_search (item_id, content_type, shelf, tokens, runs) VALUES (:item_id,"
        " :content_type, :audience, array_to_tsvector(string_to_array(:tokens, ' ')), :ngram_text)"
    ),
    add_selected=_add_vectors,
    remove=text(
        "DELETE FROM core_search"
        " WHERE item_id = :item_id AND content_type = :content_type AND shelf = :audience"
    ),
    as_match=_tsquery,
    as_substrings=list,
    indexed=text("SELECT item_id FROM core_search WHERE content_type = :searched"),
    hits=text("""
        SELECT item_id FROM core_search
        WHERE tokens @@ CAST(:match AS tsquery)
          AND content_type = :searched AND shelf BETWEEN :first AND :last
          AND (CAST(:substrings AS text[]) = '{}' OR NOT EXISTS (
                   SELECT 1 FROM unnest(CAST(:substrings AS text[])) AS substring
                   WHERE strpos(core_search.runs, substring) = 0))
    """),
    # The best plan depends on how often a word occurs, so no plan is reused. The planner
    # underestimates unpacking the tokens of each row in a sequential scan, and the start of JIT
    # compilation and of parallel workers, which takes longer than the search.
    planner_options=text(
        "SELECT set_config('plan_cache_mode', 'force_custom_plan', true),"
        " set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true),"
        " set_config('max_parallel_workers_per_gather', '0', true)"
    ).execution_options(**_NO_TABLE),
    needs_hints=False,
    # The planner underestimates looking up thousands of items. With more hits than this, it chooses
    # an order scan by itself.
    max_order_scan=10_000,
)
