"""What Alembic runs for every command on every plugin; ``masthead.db.migrate`` says on what."""

from alembic import context

context.configure(**context.config.attributes["options"])
context.run_migrations()
