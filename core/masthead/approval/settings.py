"""The settings of the approval workflow."""

from __future__ import annotations

from masthead.settings import Setting, boolean, choice

FOUR_EYES = Setting(
    "masthead.approval.four_eyes",
    boolean,
    "false",
    "Whether an item has to be approved by someone other than its requester and its last editor.",
)
EDITS = Setting(
    "masthead.approval.edits",
    choice("staged", "live"),
    "staged",
    "The effect of an edit of published content by a user without approval power: staged keeps the"
    " public copy until the edit is approved, live changes it at once.",
)
