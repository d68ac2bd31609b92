<%!
def body(code):
    lines = [line for line in code.splitlines() if not line.strip().startswith("# ###")]
    return "\n".join(lines).strip() or "pass"
%>\
"""${message[:1].upper()}${message[1:].rstrip(".")}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports or ""}
revision = "${up_revision}"
down_revision = ${f'"{down_revision}"' if down_revision else None}


def upgrade() -> None:
    ${body(upgrades or "")}
