"""The report of an import: numbers by kind and outcome, and examples of warnings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

_EXAMPLES = 3
_LONGEST_EXAMPLE = 160
OUTCOMES = ("imported", "skipped", "errors")


class Report:
    """Counts outcomes and warnings."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        """The number of items by kind and outcome."""
        self.left_out: Counter[str] = Counter()
        """The number of parts of the export that are no content, by kind."""
        self._warnings: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = defaultdict(list)

    def warn(self, problem: str, example: str = "") -> None:
        """Count a problem; its first examples are shown."""
        self._warnings[problem] += 1
        shown = self._examples[problem]
        if example and len(shown) < _EXAMPLES and example not in shown:
            shown.append(example[:_LONGEST_EXAMPLE])

    @property
    def failed(self) -> bool:
        """Whether an item could not be imported."""
        return any(counts["errors"] for counts in self.outcomes.values())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        for kind, counts in sorted(self.outcomes.items()):
            shown = ", ".join(f"{name} {counts[name]}" for name in OUTCOMES)
            yield f"{kind}: {shown}"
        if self.left_out:
            counted = (f"{number} {kind}" for kind, number in sorted(self.left_out.items()))
            yield "left out: " + ", ".join(counted)
        for problem, number in sorted(self._warnings.items()):
            yield f"warning: {problem} ({number})"
            yield from (f"  {example}" for example in self._examples[problem])
