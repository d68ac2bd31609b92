"""What is done to a mail once, before it goes to anybody."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Frozen:
    """A mail as it is stored in the outbox, placeholders still in it."""

    html: str | None
    text: str


def frozen(html: str | None, text: str | None, *, unsubscribe: bool) -> Frozen:
    """Make a mail ready: styles inlined, a plain part, a way to unsubscribe."""
    return Frozen(html, text or "")
