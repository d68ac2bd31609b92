"""The settings of contacts."""

from __future__ import annotations

from masthead import Setting, integer

MIB = 1024 * 1024

MAX_CSV = Setting(
    "masthead.crm.max_csv",
    integer(1024, 1024 * MIB),
    str(20 * MIB),
    "Maximum bytes of an imported file: a CSV file, a workbook or vCards; masthead.server.max_body"
    " must not be less.",
    shows=False,
    at_most="masthead.server.max_body",
)
