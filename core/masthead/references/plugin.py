"""The hooks of core's feature that keeps references between items."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from masthead.hookspecs import hookimpl
from masthead.instance import Check
from masthead.ports.uses import ItemUse

# Two of these modules listen to sessions.
from masthead.references import checking, deleting, rebuilding, recording, targets

__all__ = ["checking", "recording"]


@hookimpl
def masthead_uses(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    """Return the items that refer to others whose delete is refused."""
    return deleting.uses_by_references(session, kind, ids)


@hookimpl
def masthead_imported(session: Session) -> str | None:
    """Derive the references of the imported items, and name those to missing items."""
    rebuilding.rebuild_all(session)
    return "; ".join(rebuilding.dangling_references(session)) or None


@hookimpl
def masthead_checks() -> list[Check]:
    """Declare the checks of the kinds that fields refer to."""
    return [
        Check("references", targets.wrong_targets, start=True),
        Check(
            "references.targets",
            targets.missing_targets,
            readiness=False,
            level="warning",
            remedy="enable the plugin with these items, unless it is off on purpose: the stored"
            " references stay, and the public doesn't see them",
        ),
    ]
