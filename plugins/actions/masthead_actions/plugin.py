"""How actions joins Masthead: a content type, and proposals of actions from outside."""

from __future__ import annotations

from masthead import Approvable, Plugin, hookimpl
from masthead_actions.contenttype import ACTIONS
from masthead_actions.models import Base


class Hooks:
    """What actions answers to core's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Actions."""
        return [ACTIONS]


plugin = Plugin(
    name="actions", hooks=(Hooks(),), base=Base, migrations="masthead_actions.migrations"
)
