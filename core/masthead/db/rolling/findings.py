"""The violations of the rules of migrations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LOCK_RULES = frozenset(("all-rows", "index", "lock", "rewrite", "rows-under-lock", "validation"))
"""The rules about waiting; only PostgreSQL shows their violations."""
SCHEMA_RULES = frozenset(
    (
        "changed-key",
        "changed-type",
        "dropped-column",
        "dropped-table",
        "new-constraint",
        "new-unique",
        "removed-default",
        "required-column",
    )
)
"""The rules about tables that the previous release reads and writes."""


@dataclass(frozen=True)
class Finding:
    """A violation of a rule by a revision."""

    rule: str
    message: str


def undeclared(
    found: Iterable[Finding], exceptions: Mapping[str, str], checked: frozenset[str]
) -> list[str]:
    """Return the violations that a revision doesn't declare, and its wrong declarations.

    :param exceptions: the reasons of the revision by rule.
    :param checked: the rules whose violations would have been found.
    """
    findings = list(dict.fromkeys(found))
    wrong = [
        f"{each.message} ({each.rule})"
        for each in findings
        if not exceptions.get(each.rule, "").strip()
    ]
    needed = {each.rule for each in findings}
    unknown = exceptions.keys() - LOCK_RULES - SCHEMA_RULES
    wrong += [f"declares the exception {rule}, which is no rule" for rule in sorted(unknown)]
    superfluous = (exceptions.keys() & checked) - needed
    return wrong + [f"declares the exception {rule} and needs none" for rule in sorted(superfluous)]
