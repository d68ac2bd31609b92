"""``masthead cdn``: purging by hand, and trying the connection."""

from __future__ import annotations

import re
from pathlib import Path

import click

from masthead import Instance, StartError, config_option, open_from
from masthead_cdn.caches import Cache, caches_of
from masthead_cdn.diagnosis import probe

_KEY = re.compile(r"[A-Za-z0-9_.-]{1,200}")


@click.group()
def cdn() -> None:
    """Purge the caches in front of Masthead."""


@cdn.command("purge")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--all", "everything", is_flag=True, help="Purge all that the caches have.")
@config_option
@click.pass_context
def purge_command(
    context: click.Context, keys: tuple[str, ...], everything: bool, config: Path | None
) -> None:
    """Purge keys from all caches now, such as news or news-12."""
    if everything == bool(keys):
        raise click.UsageError("name keys, or use --all")
    if wrong := next((key for key in keys if not _KEY.fullmatch(key)), None):
        raise click.BadParameter(f"{wrong!r} is no key", param_hint="KEY")
    with open_from(config) as instance:
        caches = _caches(instance)
        results = [_report(cache.name, _purge(cache, keys)) for cache in caches]
    context.exit(0 if all(results) else 1)


@cdn.command("check")
@config_option
@click.pass_context
def check_command(context: click.Context, config: Path | None) -> None:
    """Purge a key that no answer has from each cache, to try address and token."""
    with open_from(config) as instance:
        _caches(instance)
        results = [_report(name, trouble) for name, trouble in probe(instance)]
    context.exit(0 if all(results) else 1)


def _caches(instance: Instance) -> list[Cache]:
    caches = list(caches_of(instance))
    if not caches:
        raise StartError("the settings masthead.cdn.* name no cache")
    return caches


def _purge(cache: Cache, keys: tuple[str, ...]) -> str | None:
    from masthead_cdn.calling import PurgeError

    try:
        if keys:
            cache.purge(keys)
        else:
            cache.purge_everything()
    except PurgeError as error:
        return str(error)
    return None


def _report(name: str, trouble: str | None) -> bool:
    click.echo(f"FAIL  {name}: {trouble}" if trouble else f"ok    {name}")
    return trouble is None
