"""How events joins Masthead."""

from __future__ import annotations

from masthead import Approvable, Plugin, hookimpl
from masthead_events.contenttype import EVENTS
from masthead_events.models import Base


class Hooks:
    """What events answers to core's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Events."""
        return [EVENTS]


plugin = Plugin(name="events", hooks=(Hooks(),), base=Base, migrations="masthead_events.migrations")
