"""Measure Masthead on this machine: ``python dev.py bench``, or with names of benchmarks.

Benchmarks assert nothing, because results of one machine don't apply to another.
"""

from __future__ import annotations

import sys

from tests.bench import (
    connections,
    contacts,
    editing,
    feeds,
    mail,
    media,
    metrics,
    million,
    proxied,
    reading,
    relay_limits,
    searching,
    starting,
    subscribers,
    transfer,
    walks,
    writers,
)

MEASUREMENTS = {
    "writers": writers,
    "starting": starting,
    "reading": reading,
    "proxied": proxied,
    "metrics": metrics,
    "searching": searching,
    "million": million,
    "feeds": feeds,
    "media": media,
    "connections": connections,
    "transfer": transfer,
    "mail": mail,
    "relay_limits": relay_limits,
    "subscribers": subscribers,
    "contacts": contacts,
    "editing": editing,
    "walks": walks,
}


def main() -> None:
    """Run the benchmarks that the arguments name, or all."""
    names = sys.argv[1:] or list(MEASUREMENTS)
    if unknown := set(names) - set(MEASUREMENTS):
        sys.exit(f"bench knows {', '.join(MEASUREMENTS)}, not {', '.join(sorted(unknown))}")
    for name in names:
        tell(f"{name}: {MEASUREMENTS[name].__doc__}")
        for line in MEASUREMENTS[name].measure():
            tell(f"  {line}")


def tell(line: str) -> None:
    """Print a line immediately."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
