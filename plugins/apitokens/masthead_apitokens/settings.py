"""The settings of the plugin."""

from __future__ import annotations

from masthead import Setting, integer

MAX_DAYS = Setting(
    "masthead.apitokens.max_days",
    integer(1, 3650),
    "366",
    "The longest lifetime of an API token in days.",
    shows=False,
)
NOTICE_DAYS = Setting(
    "masthead.apitokens.notice_days",
    integer(0, 3650),
    "7",
    "The days before the end of an API token at which its owner is notified, once; 0 never.",
    shows=False,
)
