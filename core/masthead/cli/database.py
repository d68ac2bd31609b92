"""``masthead db``: migrations and the search index."""

from __future__ import annotations

from pathlib import Path

import click

from masthead.cli.first_start import prepare
from masthead.console.context import config_option, open_from
from masthead.console.progress import show_progress_bars
from masthead.console.table import show_table
from masthead.content import reindexing
from masthead.db import migrate
from masthead.db.comparing import differences
from masthead.db.status import troubles


@click.group("db")
def database() -> None:
    """Migrate the database and rebuild the search index."""


@database.command()
@click.option("--dry-run", is_flag=True, help="Show the pending migrations, and change nothing.")
@config_option
def upgrade(dry_run: bool, config: Path | None) -> None:
    """Migrate the tables, and create missing secrets and grants."""
    with open_from(config, creates=not dry_run) as instance:
        if dry_run:
            plan = migrate.plan(instance.database, instance.plugins)
            click.echo("\n".join(plan) or f"Everything is up to date in {instance.database.place}")
            return
        migrated = prepare(instance)
    done = f"Migrated {', '.join(migrated)}" if migrated else "Everything is up to date"
    click.echo(f"{done} in {instance.database.place}")


@database.command()
@config_option
@click.pass_context
def status(context: click.Context, config: Path | None) -> None:
    """Show the revision and the kit of each plugin's tables, and any necessary action.

    The exit status is 1 if an action is necessary.
    """
    with open_from(config) as instance:
        states = migrate.status(instance.database, instance.plugins)
        others = migrate.status_of_others(instance.database, instance.plugins)
    rows = [
        (each.plugin, each.revision or "-", str(each.kit or "-"), troubles([each]) or each.summary)
        for each in states
    ]
    rows += [(name, revision, "-", "disabled") for name, revision in others.items()]
    show_table(("PLUGIN", "REVISION", "KIT", "STATUS"), rows)
    context.exit(1 if troubles(states) else 0)


@database.command()
@config_option
@click.pass_context
def check(context: click.Context, config: Path | None) -> None:
    """Compare the tables with the models of the enabled plugins.

    The exit status is 1 if they differ, for example because a revision is missing.
    """
    with open_from(config) as instance:
        migrate.check_current(instance.database, instance.plugins)
        found = differences(instance.database, instance.plugins)
    for line in found:
        click.echo(line)
    if not found:
        click.echo("The tables equal the models")
        return
    names = dict.fromkeys(line.partition(":")[0] for line in found)
    for name in names:
        click.echo(
            f"If the models are right, masthead db revision {name} -m MESSAGE writes a migration"
        )
    context.exit(1)


# Alembic's name of this command.
database.add_command(status, "current")


@database.command()
@click.argument("plugin")
@click.option("-m", "--message", required=True, help="Short description of the change.")
@config_option
def revision(plugin: str, message: str, config: Path | None) -> None:
    """Generate a migration for the models of PLUGIN."""
    with open_from(config) as instance:
        click.echo(migrate.revision(instance.plugins, plugin, message))


@database.command()
@config_option
def reindex(config: Path | None) -> None:
    """Rebuild the search index; the server may run meanwhile."""
    with open_from(config) as instance, show_progress_bars() as report:
        total, done = reindexing.count_items(instance), 0
        for count in reindexing.reindex(instance):
            done += count
            report("Indexing", done, total)
    click.echo(f"Indexed {done} items")
