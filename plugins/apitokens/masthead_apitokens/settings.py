"""The setting of the plugin."""

from __future__ import annotations

from masthead import Setting, integer

MAX_DAYS = Setting(
    "masthead.apitokens.max_days",
    integer(1, 3650),
    "366",
    "The longest lifetime of an API token in days.",
    shows=False,
)
