"""The settings of the approval workflow; some have a number for each content type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from masthead.settings import Setting, boolean, choice, integer, text


@dataclass(frozen=True)
class PerType:
    """A number for each content type."""

    default: int
    own: Mapping[str, int]
    """The numbers of single content types, by name."""

    def __getitem__(self, content_type: str) -> int:
        return self.own.get(content_type, self.default)


def per_type(minimum: int, maximum: int, default: int) -> Callable[[str], PerType]:
    """Return a parser of a number for all content types, and of others for some: ``1 news=2``."""
    number = integer(minimum, maximum)

    def parse(value: str) -> PerType:
        words = value.split()
        try:
            numbers = {
                name: number(digits) for name, _, digits in (word.rpartition("=") for word in words)
            }
        except ValueError:
            numbers = {}
        # A word that is repeated, or is no number, is missing.
        if len(numbers) < len(words) or any(word.startswith("=") for word in words):
            raise ValueError(f"numbers from {minimum} to {maximum}, such as {default} news=2")
        return PerType(numbers.pop("", default), numbers)

    return parse


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
REQUIRED = Setting(
    "masthead.approval.required",
    per_type(1, 20, 1),
    "1",
    "Number of users who have to approve an item. Single content types can have other numbers: with"
    " '1 news=2', two users have to approve news. Above 1, an approver's edit needs approval, too.",
    shows=False,
)
REMIND_HOURS = Setting(
    "masthead.approval.remind_hours",
    per_type(0, 8_760, 0),
    "0",
    "Hours after a request at which those who can still approve it are reminded, once; 0 never."
    " Single content types can have other numbers: '48 news=4'.",
    shows=False,
)
ESCALATE_HOURS = Setting(
    "masthead.approval.escalate_hours",
    per_type(0, 8_760, 0),
    "0",
    "Hours after a request at which masthead.approval.escalate_to is notified, once; 0 never."
    " Single content types can have other numbers: '72 news=8'.",
    shows=False,
)
ESCALATE_TO = Setting(
    "masthead.approval.escalate_to",
    text,
    "",
    "The name of the role whose users are notified of requests that nobody has decided in time;"
    " blank or unknown: the administrators.",
    shows=False,
)
