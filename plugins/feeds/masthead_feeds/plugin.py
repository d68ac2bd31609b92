"""How feeds joins Masthead."""

from __future__ import annotations

from masthead import Plugin

plugin = Plugin(name="feeds", hooks=())
