"""What a deployer chooses about contacts."""

from __future__ import annotations

from masthead import Setting, integer

MIB = 1024 * 1024

MAX_CSV = Setting(
    "masthead.crm.max_csv",
    integer(1024, 1024 * MIB),
    str(20 * MIB),
    "The most bytes that the import of a CSV file may have; masthead.server.max_body must be more.",
    shows=False,
)
