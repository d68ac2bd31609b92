"""How e-mail joins Masthead; start reading here."""

from __future__ import annotations

from typing import Any

from masthead import Plugin, Setting, hookimpl
from masthead_email.base import Base
from masthead_email.outbox import models as outbox
from masthead_email.settings import SETTINGS
from masthead_email.subscribers import models as subscribers

MODELS = (outbox, subscribers)
"""The modules that declare tables, so that they are known once the plugin is."""


class Hooks:
    """What e-mail answers to core's hooks."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        """Relay, addresses, and what is kept how long."""
        return SETTINGS


plugin = Plugin(name="email", hooks=(Hooks(),), base=Base, migrations="masthead_email.migrations")
