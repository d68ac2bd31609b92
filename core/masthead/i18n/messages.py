"""Marking texts in code for translation."""

from __future__ import annotations


def translatable(message: str) -> str:
    """Return the message; it marks a text that is translated where it is shown.

    Programs that extract messages find it, as they find the message of ``Texts.translate``.
    """
    return message
