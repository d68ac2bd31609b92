"""Alembic's environment script: run migrations with the options of ``masthead.db.migrate``."""

import warnings

from alembic import context

context.configure(**context.config.attributes["options"])
with warnings.catch_warnings():
    # Reflection on SQLite misses an index on an expression; masthead.db.batch preserves it.
    warnings.filterwarnings("ignore", ".*expression-based index")
    with context.begin_transaction():
        context.run_migrations()
