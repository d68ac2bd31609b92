"""The settings of revisions."""

from __future__ import annotations

from masthead.settings import Setting, boolean, integer

RECORD = Setting(
    "masthead.revisions.record",
    boolean,
    "true",
    "Whether each save of content and resources keeps a revision, which staff can compare and"
    " restore.",
)
FOLD_MINUTES = Setting(
    "masthead.revisions.fold_minutes",
    integer(0, 24 * 60),
    "5",
    "Saves of an item by one person within this many minutes of each other become one revision; 0"
    " keeps a revision of each save.",
)
KEEP = Setting(
    "masthead.revisions.keep",
    integer(0, 1_000_000),
    "500",
    "Number of revisions that are kept of each item; 0 keeps all. The newest live and staged ones"
    " and the approved ones are always kept.",
)
DAYS = Setting(
    "masthead.revisions.days",
    integer(0, 36_500),
    "0",
    "Number of days for which revisions are kept; 0 keeps them without limit. The newest live and"
    " staged ones and the approved ones are always kept.",
)
