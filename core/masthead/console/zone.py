"""The option ``--timezone`` of the commands that import times without a zone."""

from __future__ import annotations

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

import click


def _zone(_context: click.Context, _option: click.Parameter, value: str) -> tzinfo:
    if value.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(value)
    # ZoneInfo raises several kinds of errors for names that aren't known, such as folders.
    except (OSError, ValueError, LookupError):
        raise click.BadParameter(f"{value} isn't known") from None


timezone_option = click.option(
    "--timezone", callback=_zone, default="UTC", help="Zone of times without one; UTC by default."
)
"""Adds the parameter ``timezone``, a ``tzinfo``."""
