"""Find headless clauses and archaic words in docstrings, comments, messages and Markdown.

A headless clause begins with "what", "who" or "whom" and has no noun in front that it describes:
"who logged in has to log in again" instead of "a user who logged in has to log in again". Questions
and indirect questions ("say who may approve") are fine.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = ("*.py", "*.md")
_START = r"(?:^|[.;:!(]\s+|\(|— )"
_PREPOSITION = (
    r"\b(?:after|against|as|at|before|beside|by|for|from|of|on|than|to|upon|with|without)\s+"
)
HEADLESS = re.compile(
    rf"{_START}(?:what|who|whom|whose)\b(?! if\b)|(?:{_PREPOSITION}|\bwhich\s+)(?:who|whom)\b",
    re.IGNORECASE,
)
HEADLESS_SUMMARY = re.compile(rf"{HEADLESS.pattern}|{_PREPOSITION}what\b", re.IGNORECASE)
"""The stricter rule for the first line of a docstring, which appears without its context."""
ARCHAIC_WORDS = (
    "shall",
    "whom",
    "whence",
    "thereof",
    "whereof",
    "nought",
    "all the same",
    "for ever",
)
ARCHAIC = re.compile(rf"\b(?:{'|'.join(ARCHAIC_WORDS)})\b", re.IGNORECASE)
_CODE = re.compile(r"``.*?``|`[^`]*`|\"[^\"]*\"", re.DOTALL)


class Finding(NamedTuple):
    """A sentence that breaks the rule."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text}"


def main(names: list[str]) -> int:
    """Print the findings in the named files, or in all tracked files; return the exit status."""
    paths = [Path(name).resolve() for name in names] or list(_tracked())
    found = [finding for path in paths for finding in check(path)]
    print("".join(f"{finding}\n" for finding in found), end="")
    return 1 if found else 0


def check(path: Path) -> Iterator[Finding]:
    """Yield the sentences of a file that break the rule."""
    text = path.read_text("utf-8")
    passages = _python(text) if path.suffix == ".py" else _markdown(text)
    for line, passage, is_summary in passages:
        prose = _CODE.sub("`code`", passage)
        rule = HEADLESS_SUMMARY if is_summary else HEADLESS
        if _breaks(rule, prose) or ARCHAIC.search(prose):
            yield Finding(path, line, " ".join(passage.split())[:100])


def _breaks(rule: re.Pattern[str], prose: str) -> bool:
    """Whether a sentence of the prose that is not a question matches."""
    sentences = re.split(r"(?<=[.!?])\s+|\n\s*\n\s*", prose.strip())
    return any(rule.search(sentence) for sentence in sentences if not sentence.endswith("?"))


def _python(source: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the docstrings, comments and messages: line, text, and whether it is a summary."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                first, _, rest = node.value.value.partition("\n")
                yield node.lineno, first, True
                # A sentence may continue after the first line.
                goes_on = not first.endswith((".", ":", "?", "!"))
                yield node.lineno, f"… {rest.lstrip()}" if goes_on else rest, False
        elif isinstance(node, ast.Call):
            arguments = (*node.args, *(keyword.value for keyword in node.keywords))
            for each in arguments:
                if message := _message(each):
                    yield each.lineno, message, True
    yield from _comments(source)


def _message(node: ast.expr) -> str:
    """Return the text of an argument that is a string of several words."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) and " " in value.strip() else ""


def _comments(source: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each block of comment lines as one text."""
    block: list[str] = []
    start = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, text = token.start[0], token.string.lstrip("#: ")
        if block and line != last + 1:
            yield start, " ".join(block), False
            block = []
        start = start if block else line
        block.append(text)
        last = line
    if block:
        yield start, " ".join(block), False


def _markdown(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the paragraphs outside fenced code; each cell of a table is a paragraph."""
    without_code = re.sub(
        r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL | re.MULTILINE
    )
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", without_code):
        cells = paragraph.split("|") if paragraph.lstrip().startswith("|") else [paragraph]
        for cell in cells:
            yield line, cell.strip(" \n-*#0123456789."), False
        line += paragraph.count("\n")


def _tracked() -> Iterator[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", *PATTERNS], cwd=ROOT, capture_output=True, check=True
    )
    for name in listing.stdout.decode().split("\0"):
        if name and "/data/" not in name and (ROOT / name).is_file():
            yield ROOT / name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
