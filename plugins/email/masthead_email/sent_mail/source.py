"""The kinds of mail that staff send: newsletters and composed e-mails declare theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from masthead import Resource


@dataclass(frozen=True)
class Source:
    """A kind of mail whose delivery staff follow and control."""

    kind: str
    """The kind of its messages, such as ``newsletter``."""
    resource: Resource
    label: str
    """Its name in summaries: ``a newsletter``."""
    action: str
    """The first part of the actions in the audit log: ``newsletter``."""
    unsent: str
    """The error for one that wasn't sent."""
    title: Callable[[Any], str]
    """Return the title of an item, for the audit log."""
