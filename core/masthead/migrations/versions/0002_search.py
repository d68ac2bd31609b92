"""The search index, which no model declares."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

# Each byte beyond ASCII is part of a token, so the tokens stay as they are made.
SQLITE = (
    """
    CREATE VIRTUAL TABLE core_search USING fts5(
        tokens, runs UNINDEXED,
        tokenize = 'ascii', detail = none, columnsize = 0, prefix = '3'
    )
    """,
    "CREATE TABLE core_search_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
)
# The index is asked for the tokens; they themselves are hardly ever read. The low target keeps them
# outside of the rows, so that counting what is found goes through fewer pages. Packing them would
# save little space, and cost each row that is looked at its time.
POSTGRESQL = (
    """
    CREATE TABLE core_search (
        item_id BIGINT NOT NULL,
        content_type TEXT NOT NULL,
        shelf SMALLINT NOT NULL,
        runs TEXT NOT NULL,
        tokens TSVECTOR NOT NULL,
        CONSTRAINT pk_core_search PRIMARY KEY (item_id, content_type, shelf)
    ) WITH (toast_tuple_target = 128)
    """,
    "ALTER TABLE core_search ALTER runs SET STORAGE EXTERNAL, ALTER tokens SET STORAGE EXTERNAL",
    "CREATE INDEX ix_core_search_tokens ON core_search USING gin (tokens)",
)


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        op.execute(statement)
