"""How media joins Masthead: images that staff and visitors upload, and everybody sees."""

from __future__ import annotations

from masthead import Plugin

plugin = Plugin(name="media", hooks=())
