"""Write docs/reference.md: all public names for plugins with their options; --check only compares.

The texts are the docstrings of classes, attributes and functions in the code.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
_BY_TASK = PAGE.with_name("plugin-api.md")
_HEAD = """\
# Reference of the names for plugins

Each public name with its options: name, type, default, and meaning. The texts are those of the
code; [plugin-api.md](plugin-api.md) describes the names by task.
"""
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_LITERAL = re.compile(r"::\n\n((?: {4}[^\n]*(?:\n|\Z)|\n(?= {4}))+)")
_PARAMETER = re.compile(r"^:param (\w+): ", re.MULTILINE)
_RESULT = re.compile(r"^:(returns|return|raises?)( \w+)?: ", re.MULTILINE)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Found:
    """The definition of a name."""

    module: str
    node: ast.stmt
    text: str
    """The docstring; of a constant, the string below it."""


def page() -> str:
    """Return the whole page."""
    parts = [_HEAD]
    for package in ("masthead", "masthead.testing"):
        parts.append(f"## {package}\n")
        for name in sorted(import_module(package).__all__, key=str.lower):
            parts.append("\n".join(_entry(package, name)))
    return "\n".join(parts).rstrip() + "\n"


def _entry(package: str, name: str) -> Iterator[str]:
    """Yield the lines about one name."""
    found = _find(package, name)
    yield f"### {name}\n"
    if found is None:
        yield f"{_by_task()[name]}\n"
        return
    if isinstance(found.node, Function):
        yield f"`{_signature(found.node)}`\n"
    if text := found.text or _by_task().get(name, ""):
        yield f"{_markdown(text)}\n"
    if isinstance(found.node, ast.ClassDef):
        yield from _constructor(found)
        lines = [*_options(found), *_methods(found)]
        if lines:
            yield "\n".join(lines) + "\n"


@cache
def _by_task() -> dict[str, str]:
    """Return the texts of plugin-api.md, for names without a text in the code."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", _BY_TASK.read_text("utf-8"), re.MULTILINE)
    return {name: f"{text[0].upper()}{text[1:]}." for name, text in rows}


def _constructor(found: Found) -> Iterator[str]:
    """Yield the lines about ``__init__`` of a class or of its nearest base."""
    own = (each for owner in reversed(_lineage(found)) for each in owner.body)
    made = (each for each in own if isinstance(each, Function) and each.name == "__init__")
    if (init := next(made, None)) is not None:
        assert isinstance(found.node, ast.ClassDef)
        arguments = _signature(init).removeprefix(init.name).removesuffix(" -> None")
        yield f"`{found.node.name}{arguments}`\n"
        if text := ast.get_docstring(init):
            yield f"{_markdown(text)}\n"


def _options(found: Found) -> Iterator[str]:
    """Yield the attributes of a class, those of its bases first."""
    options: dict[str, str] = {}
    for owner in _lineage(found):
        body = owner.body
        for statement, after in zip(body, [*body[1:], ast.Pass()], strict=True):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name, text = statement.target.id, _string(after) or _help(statement)
                if not name.startswith("_"):
                    shown = f"{name}: {ast.unparse(statement.annotation)}{_default(statement)}"
                    options[name] = f"- `{shown}`{_described(text)}"
    yield from options.values()


def _methods(found: Found) -> Iterator[str]:
    """Yield the public methods of a class, without tests."""
    for each in _lineage(found)[-1].body:
        if isinstance(each, Function) and not each.name.startswith(("_", "test_")):
            text = (ast.get_docstring(each) or "").partition("\n")[0]
            yield f"- `{_signature(each)}`{_described(text)}"


def _lineage(found: Found) -> list[ast.ClassDef]:
    """Return a class after those of its bases that are Masthead's."""
    node = found.node
    assert isinstance(node, ast.ClassDef)
    bases = [_find(found.module, base.id) for base in node.bases if isinstance(base, ast.Name)]
    above = [each for base in bases if base and _is_class(base) for each in _lineage(base)]
    return [*above, node]


def _is_class(found: Found) -> bool:
    return isinstance(found.node, ast.ClassDef)


@cache
def _find(module: str, name: str) -> Found | None:
    """Return the definition of a name, also if the module imports it; None for other packages."""
    if not module.startswith("masthead"):
        return None
    body = list(_statements(_tree(module).body))
    for statement, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    return _find(statement.module, alias.name)
        elif isinstance(statement, ast.ClassDef | Function) and statement.name == name:
            return Found(module, statement, ast.get_docstring(statement) or "")
        elif name in _assigned(statement):
            return Found(module, statement, _string(after))
    return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, with those below ``if TYPE_CHECKING``."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from statement.body


def _assigned(statement: ast.stmt) -> set[str]:
    targets = (
        statement.targets
        if isinstance(statement, ast.Assign)
        else [statement.target]
        if isinstance(statement, ast.AnnAssign)
        else []
    )
    return {node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name)}


@cache
def _tree(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None, module
    return ast.parse(Path(str(spec.origin)).read_text("utf-8"))


def _signature(node: Function) -> str:
    arguments = re.sub(r"^(self|cls)(, )?", "", ast.unparse(node.args))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){result}"


def _default(statement: ast.AnnAssign) -> str:
    value = statement.value
    if value is None:
        return ""
    if isinstance(value, ast.Call):
        given = {each.arg: each.value for each in value.keywords}
        if "init" in given or ast.unparse(value.func) in ("field", "mapped_column"):
            return ""
        if "default_factory" in given:
            return f" = {ast.unparse(given['default_factory'])}()"
    return f" = {ast.unparse(value)}"


def _help(statement: ast.AnnAssign) -> str:
    """Return the text of a column that ``field()`` declares."""
    keywords = statement.value.keywords if isinstance(statement.value, ast.Call) else []
    texts = (each.value for each in keywords if each.arg == "help")
    return next((str(each.value) for each in texts if isinstance(each, ast.Constant)), "")


def _string(statement: ast.stmt) -> str:
    """Return the text of a statement that is a string; blank for another one."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        text = statement.value.value
        return inspect.cleandoc(text) if isinstance(text, str) else ""
    return ""


def _described(text: str) -> str:
    return f": {' '.join(_markdown(text).split())}" if text else ""


def _markdown(text: str) -> str:
    """Return a docstring in Markdown."""
    text = _ROLE.sub(r"`\1`", text).replace("``", "`")
    text = _LITERAL.sub(lambda found: f":\n\n```text\n{dedent(found[1]).strip()}\n```\n", text)
    text = re.sub(r"\n\n?(?=:(?:param|return|raise))", "\n\n", text)
    text = re.sub(r"\n {4}(?=\S)", "\n  ", text) if ":param" in text else text
    text = _PARAMETER.sub(r"- `\1`: ", text)
    text = _RESULT.sub(lambda found: f"- {found[1].rstrip('s')}s{found[2] or ''}: ", text)
    return re.sub(r"(\n- [^\n]*(?:\n  [^\n]*)*)\n\n(?=- )", r"\1\n", text)


def main() -> None:
    """Write the page, or compare it."""
    made = page()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.read_text("utf-8") == made else f"{PAGE.name} is out of date")
    PAGE.write_text(made, "utf-8")


if __name__ == "__main__":
    main()
