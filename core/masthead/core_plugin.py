"""Core as a plugin: its features join through the same hooks as everybody's."""

from __future__ import annotations

from masthead.base import Base
from masthead.plugins import CORE, Plugin

plugin = Plugin(name=CORE, hooks=(), base=Base, migrations="masthead.migrations")
