"""Forbidden content of tracked files, and the maximum length of modules and functions."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Written in parts, because the tests search this file too.
HOSTS = [
    ".".join(parts)
    for parts in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("proxy", "golang", "org"),
        ("deb", "debian", "org"),
    ]
]
REGISTRIES = re.compile(rf"\b({'|'.join(map(re.escape, HOSTS))})\b", re.IGNORECASE)
MACHINE_PATHS = re.compile(r"(?<![\w.~-])/(work|home/\w+|root|Users/\w+)(/|\b)")

NOQA, IGNORE = "noqa", "type: ignore"
SUPPRESSION = re.compile(rf"#\s*(?:{NOQA}: [A-Z0-9, ]+|{IGNORE}\[[\w, -]+\]|pragma: no (?:cover))")
REASON = re.compile(r"[ (#-]*\w+\W+\w+")

MODULE = 400
PUBLIC_NAMES = ROOT / "core/masthead/__init__.py"
"""It has two lines for each public name, and no code."""
GENERATED = ROOT / "clients/python/masthead_client/generated"
"""Its modules are made from the OpenAPI document, one line or more for each of its members."""
FUNCTION = 40
VIEW = 15


def tracked(pattern: str = "*") -> list[Path]:
    """Return the existing files that git tracks."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--", pattern], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def findings(pattern: re.Pattern[str], text: str) -> list[str]:
    return [match[0] for match in pattern.finditer(text)]


def span(node: ast.stmt | ast.expr) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def long_functions(source: str, limit: int) -> Iterator[str]:
    """Yield the functions that are longer than the limit.

    Docstrings don't count. A list in the last return statement doesn't count either, because it is
    a table, such as the endpoints of a plugin.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = span(node)
            if ast.get_docstring(node) is not None:
                lines -= span(node.body[0])
            if isinstance(node.body[-1], ast.Return) and isinstance(node.body[-1].value, ast.List):
                lines -= span(node.body[-1].value) - 1
            if lines > limit:
                yield f"{node.name} has {lines} lines"


@pytest.mark.parametrize("host", HOSTS)
def test_the_host_of_a_registry_is_recognised(host: str) -> None:
    assert findings(REGISTRIES, f"see https://files.{host.upper()}/simple")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    found = {
        str(path.relative_to(ROOT)): hosts
        for path in tracked()
        if (hosts := findings(REGISTRIES, path.read_text("utf-8", "replace")))
    }

    assert found == {}


@pytest.mark.parametrize("text", ["see /wor" + "k/main", '"/hom' + 'e/ada/x"', "cd /roo" + "t/"])
def test_a_path_of_a_machine_is_recognised(text: str) -> None:
    assert findings(MACHINE_PATHS, text)


@pytest.mark.parametrize("text", ["$HOME/x", "docs/homework/x", "/api/work", "~/root", "a/root"])
def test_an_ordinary_path_is_left_alone(text: str) -> None:
    assert findings(MACHINE_PATHS, text) == []


def test_no_file_names_a_path_of_a_developers_machine() -> None:
    found = {
        str(path.relative_to(ROOT)): paths
        for path in tracked()
        if (paths := findings(MACHINE_PATHS, path.read_text("utf-8", "replace")))
    }

    assert found == {}


def test_no_module_is_longer_than_400_lines() -> None:
    written = [path for path in tracked("*.py") if GENERATED not in path.parents]
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in written}
    del lengths[PUBLIC_NAMES]

    assert {path.name: length for path, length in lengths.items() if length > MODULE} == {}


def test_a_docstring_does_not_count_as_length() -> None:
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    a = 1\n    return a\n'

    assert list(long_functions(source, 3)) == []
    assert list(long_functions(source, 2)) == ["f has 3 lines"]


def test_a_returned_table_does_not_count_as_length() -> None:
    source = "def f():\n    a = 1\n    return [\n        a,\n        2,\n    ]\n"

    assert list(long_functions(source, 3)) == []
    assert list(long_functions(source, 2)) == ["f has 3 lines"]


def test_no_function_is_longer_than_40_lines_and_no_view_longer_than_15() -> None:
    found = {}
    for path in tracked("*.py"):
        if "versions" not in path.parts:  # migrations are as long as their tables
            limit = VIEW if path.name == "views.py" else FUNCTION
            if too_long := list(long_functions(path.read_text("utf-8"), limit)):
                found[str(path.relative_to(ROOT))] = too_long

    assert found == {}


def unexplained(source: str) -> Iterator[int]:
    """Yield the lines that suppress a check without a reason beside it or in the line above."""
    above = ""
    for number, line in enumerate(source.splitlines(), 1):
        found = list(SUPPRESSION.finditer(line))
        explained = above.lstrip().startswith("# ")
        if found and not explained and not REASON.match(line, found[-1].end()):
            yield number
        # A decorator stands between a comment and the line of the function.
        above = above if line.lstrip().startswith("@") else line


def test_each_suppressed_check_has_a_reason() -> None:
    lines = {str(p.relative_to(ROOT)): list(unexplained(p.read_text())) for p in tracked("*.py")}

    assert {path: found for path, found in lines.items() if found} == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"x = 1  # {NOQA}: S608", [1]),
        (f"x = 1  # {NOQA}: S608 - a constant", []),
        (f"x = 1  # {NOQA}: S608 (no values)", []),
        (f"# The texts are constants.\nx = 1  # {NOQA}: S608", []),
        (f"# The name is fixed.\n@property\ndef GET(self):  # {NOQA}: N802", []),
        (f"x = 1\nx = 1  # {IGNORE}[misc]", [2]),
        (f"x = 1  # {IGNORE}[misc]  # it has no types", []),
        (f"x = 1  # {IGNORE}[misc]  # {NOQA}: S608", [1]),
    ],
)
def test_a_reason_stands_beside_the_check_or_above(source: str, expected: list[int]) -> None:
    assert list(unexplained(source)) == expected
