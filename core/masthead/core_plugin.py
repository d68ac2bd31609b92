"""Core as a plugin: its features join through the same hooks as everybody's."""

from __future__ import annotations

from masthead import health
from masthead.base import Base
from masthead.cli import plugin as cli
from masthead.plugins import CORE, Plugin

plugin = Plugin(
    name=CORE,
    hooks=(
        cli,
        health,
    ),
    base=Base,
    migrations="masthead.migrations",
)
