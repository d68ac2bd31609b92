"""Measure Masthead on this machine: ``python dev.py bench``, or with names of benchmarks.

``soak=1200`` gives a benchmark a value, here the seconds that it takes.

Benchmarks assert nothing, because times of one machine don't apply to another. Ratios of memory do:
``tests/journeys/test_memory.py`` asserts those of ``memory`` and ``soak``.
"""

from __future__ import annotations

import sys

from tests.bench import (
    connections,
    contacts,
    editing,
    feeds,
    importing,
    mail,
    many_contacts,
    media,
    memory,
    metrics,
    million,
    proxied,
    reading,
    relay_limits,
    revisions,
    searching,
    soak,
    starting,
    subscribers,
    ten_machines,
    transfer,
    trash,
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
    "importing": importing,
    "media": media,
    "connections": connections,
    "transfer": transfer,
    "memory": memory,
    "soak": soak,
    "mail": mail,
    "relay_limits": relay_limits,
    "subscribers": subscribers,
    "contacts": contacts,
    "many_contacts": many_contacts,
    "editing": editing,
    "revisions": revisions,
    "trash": trash,
    "walks": walks,
    "ten_machines": ten_machines,
}


def main() -> None:
    """Run the benchmarks that the arguments name, or all."""
    asked = [argument.partition("=")[::2] for argument in sys.argv[1:] or MEASUREMENTS]
    if unknown := {name for name, _ in asked} - set(MEASUREMENTS):
        sys.exit(f"bench knows {', '.join(MEASUREMENTS)}, not {', '.join(sorted(unknown))}")
    for name, value in asked:
        tell(f"{name}: {MEASUREMENTS[name].__doc__}")
        for line in MEASUREMENTS[name].measure(*filter(None, [value])):
            tell(f"  {line}")


def tell(line: str) -> None:
    """Print a line immediately."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
