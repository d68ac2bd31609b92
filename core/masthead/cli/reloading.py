"""``masthead serve --reload``: start the server again when its files change, for development."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from masthead.errors import StartError
from masthead.instance import Instance
from masthead.server.options import PROCESSES
from masthead.settings import given

_STOP_SECONDS = 5


def watch(ini: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Run this command in another process, which ends and starts again when a file changes.

    The function returns in that process; in this one, it never does.

    :raises StartError: if there are several server processes.
    """
    import hupper  # type: ignore[import-untyped]  # it has no types

    _, processes = given(PROCESSES, ini, environ)
    if processes != "1":
        raise StartError(f"--reload is for development with one process, not with {processes}")
    if not hupper.is_active():
        hupper.start_reloader(
            "masthead.cli.main",
            shutdown_interval=_STOP_SECONDS,
            worker_kwargs={"args": sys.argv[1:], "prog_name": "masthead"},
        )


def watch_files(instance: Instance, config: Path | None) -> None:
    """Watch the configuration file and the templates of plugins, besides all imported modules."""
    import hupper

    paths = [*([config] if config is not None else []), *_templates(instance)]
    hupper.get_reloader().watch_files([str(path.absolute()) for path in paths])


def _templates(instance: Instance) -> Iterator[Path]:
    for plugin in instance.plugins:
        spec = find_spec(plugin.texts) if plugin.texts is not None else None
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from (path for path in Path(folder).rglob("*") if path.is_file())
