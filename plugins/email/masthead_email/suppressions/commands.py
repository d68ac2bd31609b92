"""The commands of ``masthead mail`` that list and release suppressed addresses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from masthead import Timestamp, Window, config_option, open_from
from masthead_email.outbox.models import SUPPRESSION_KINDS
from masthead_email.suppressions import services

_EVERYTHING = Window(1_000_000_000, 0)
_TIME = Timestamp()
_FILTERS = ("kind", "newsletter_id", "composed_email_id", "since", "search")
_WIRE = {"newsletter_id": "newsletterId", "composed_email_id": "composedEmailId"}


def _since(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    try:
        return None if value is None else _TIME.parse(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose suppressions."""
    number = click.IntRange(min=1)
    for option in (
        click.option("--search", help="Only addresses that contain this text."),
        click.option(
            "--since", callback=_since, help="Only those suppressed at or after this time."
        ),
        click.option("--composed-email", "composed_email_id", type=number, help="Its id."),
        click.option("--newsletter", "newsletter_id", type=number, help="Its id."),
        click.option("--kind", type=click.Choice(SUPPRESSION_KINDS), help="Only this kind."),
    ):
        command = option(command)
    return command


def _query(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, under the names of query parameters."""
    return {_WIRE.get(n, n): options[n] for n in _FILTERS if options[n] is not None}


@click.command()
@_filter_options
@config_option
def suppressed(config: Path | None, **options: Any) -> None:
    """List the suppressed addresses, newest first, with time, reason and kind."""
    with open_from(config) as instance, instance.database.session(read_only=True) as session:
        for each in services.list_suppressions(session, _EVERYTHING, _query(options)).items:
            time = _TIME.dump(each["since"])
            click.echo(f"{each['email']}\t{time}\t{each['reason']}\t{each['kind']}")


@click.command()
@click.argument("address", required=False)
@_filter_options
@config_option
def release(address: str | None, config: Path | None, **options: Any) -> None:
    """End the suppression of ADDRESS, or of all addresses that match the options.

    Without --kind, complaints and addresses that staff suppressed stay suppressed.
    """
    query = _query(options)
    if (address is None) == (not query):
        raise click.UsageError("Give either an address or options")
    with open_from(config) as instance, instance.database.transaction() as session:
        if address is None:
            click.echo(f"Released addresses: {services.release_matching(session, query, None)}")
            return
        released = services.release_address(session, address.strip().lower(), None)
    if not released:
        click.echo(f"{address} was not suppressed")
        raise SystemExit(1)
    click.echo(f"{address} is no longer suppressed")
