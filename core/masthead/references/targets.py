"""The checks of the kinds of items that fields refer to."""

from __future__ import annotations

from collections.abc import Iterator

from masthead.instance import Instance
from masthead.references.declared import Declared, declared_in
from masthead.references.fields import Reference


def wrong_targets(instance: Instance) -> str | None:
    """Return the references from or to items whose ids aren't numbers."""
    declared = declared_in(instance)
    named = {name for name, kind in declared.kinds.items() if getattr(kind, "named", False)}
    return (
        "; ".join(
            f"{kind}.{it.name} can't refer to {it.target}: the ids of {wrong} are no numbers"
            for kind, it in _references(declared)
            if (wrong := kind if kind in named else it.target) in named
        )
        or None
    )


def missing_targets(instance: Instance) -> str | None:
    """Return the references to items that no enabled plugin has."""
    declared = declared_in(instance)
    missing = [(k, it) for k, it in _references(declared) if it.target not in declared.kinds]
    return (
        "; ".join(
            f"{kind}.{it.name} refers to {it.target}, which no enabled plugin has"
            for kind, it in missing
        )
        or None
    )


def _references(declared: Declared) -> Iterator[tuple[str, Reference]]:
    for name, source in declared.sources.items():
        for reference in source.references:
            yield name, reference
