"""The settings of bounces."""

from __future__ import annotations

from typing import Any

from masthead import Setting, integer
from masthead_email.bounces.mailbox import read_mailbox

MAILBOX = Setting(
    "masthead.email.bounces_mailbox",
    read_mailbox,
    "",
    "The mailbox that receives bounces, which the worker reads every five minutes:"
    " imaps://user:password@mail.example.org/INBOX?done=Processed, or imap://…?tls=starttls."
    " Messages move to the folder done. Blank reads none.",
    secret=True,
    shows=False,
)
REPEATED_NEWSLETTERS = Setting(
    "masthead.email.suppress_after_newsletters",
    integer(0, 100),
    "3",
    "Number of newsletters in a row that fail for an unknown permanent cause before the address is"
    " suppressed; 0 suppresses none.",
    shows=False,
)
REPEATED_DAYS = Setting(
    "masthead.email.suppress_after_days",
    integer(0, 3_650),
    "60",
    "Days of failures by transient causes, such as a full mailbox, without any successful delivery"
    " before the address is suppressed; 0 suppresses none.",
    shows=False,
)

SETTINGS: list[Setting[Any]] = [MAILBOX, REPEATED_NEWSLETTERS, REPEATED_DAYS]
