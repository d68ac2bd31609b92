"""What Alembic runs for every command on every plugin; ``masthead.db.migrate`` says on what."""

import warnings

from alembic import context

context.configure(**context.config.attributes["options"])
with warnings.catch_warnings():
    # Reflection on SQLite sees no index on an expression; masthead.db.batch keeps it nevertheless.
    warnings.filterwarnings("ignore", ".*expression-based index")
    context.run_migrations()
