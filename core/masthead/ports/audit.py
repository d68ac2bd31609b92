"""The declaration of an action of the audit log."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AuditAction:
    """An action that the audit log can record, returned by ``masthead_audit_actions``."""

    name: str
    """``<thing>.<verb>``, such as ``user.create``; unique among all plugins."""
    help: str
    """The meaning of an entry for its reader, in one sentence: ``A user was created.``"""
