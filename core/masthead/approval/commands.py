"""``masthead approval move``: the transitions of the approval workflow, on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from masthead.approval.services import move
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, WITHDRAW, Transition
from masthead.console.context import config_option, open_from
from masthead.db import migrate

_TRANSITIONS: dict[str, Transition] = {
    each.name: each for each in (REQUEST, APPROVE, REJECT, WITHDRAW)
}


@click.command("move")
@click.argument("transition", type=click.Choice([str(name) for name in _TRANSITIONS]))
@click.argument("content_type", metavar="TYPE")
@click.argument("item_id", metavar="ID", type=click.IntRange(1))
@click.option("--comment", help="The comment on it, or the reason of a rejection.")
@config_option
def move_command(
    transition: str, content_type: str, item_id: int, comment: str | None, config: Path | None
) -> None:
    """Request, approve or reject an item, or withdraw its request.

    An approval by this command is enough, even if several users have to approve an item.
    """
    with open_from(config) as instance:
        migrate.check_current(instance.database, instance.plugins)
        kind = instance.content_types.get(content_type)
        if kind is None:
            names = ", ".join(instance.content_types)
            raise click.BadParameter(f"expected one of {names}", param_hint="TYPE")
        with instance.database.transaction() as session:
            event = move(session, kind, item_id, _TRANSITIONS[transition], None, remark=comment)
    click.echo(f"{transition}: {content_type} {item_id}, {event.title}")
