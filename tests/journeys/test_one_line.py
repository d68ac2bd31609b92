"""Every field of one line, in every body: no line ends, no controls, nothing invisible alone."""

from __future__ import annotations

from collections.abc import Iterator

import colander
import pytest

from masthead import ClassNames, Line, ListOf, Nullable, Object, Str
from masthead.instance import Instance
from masthead.schemas.field_types import TITLE, FieldType

OTHERS = {
    *("charset", "etag", "id", "mapping", "path", "permissions", "roles", "search", "sheet"),
    *("token", "website"),
}
"""Fields of short text that is compared or parsed, and never shown as it was sent."""
LOGIN = {"POST /api/auth/forgot-password username"}
BREAKS = ["\n", "\r\n", "\r", "\t", "\x85", "\u2028", "\u2029"]


@pytest.fixture
def texts(instance: Instance) -> dict[str, Str]:
    """The type of each text field of each body, by method, path and name."""
    return {
        f"{endpoint.method} {endpoint.path} {name}": kind
        for endpoint in instance.endpoints
        if endpoint.body is not None
        for name, kind in fields_of(endpoint.body)
        if isinstance(kind, Str)
    }


def fields_of(node: colander.SchemaNode) -> Iterator[tuple[str, FieldType]]:
    """Yield the fields of a schema by name, inside lists and objects too."""
    for child in node.children:
        kind = child.typ
        while isinstance(kind, Nullable | ListOf):
            kind = kind.inner
        if isinstance(kind, Object):
            yield from fields_of(kind.node)
        else:
            yield child.name, kind


def test_short_text_has_one_line(texts: dict[str, Str]) -> None:
    short = {name: kind for name, kind in texts.items() if kind.max_length <= TITLE}
    assert len(short) > 60

    others = {name for name, kind in short.items() if not isinstance(kind, Line)}
    assert {name for name in others if name.split()[-1] not in OTHERS} == LOGIN


def test_a_line_keeps_no_line_end_and_no_control_character(texts: dict[str, Str]) -> None:
    for name, kind in texts.items():
        if isinstance(kind, Line):
            for line_end in BREAKS:
                assert is_refused(kind, f"a{line_end}b") or kind.parse(f"a{line_end}b") == "a b", (
                    name
                )
            for control in ("\x00", "\x0b", "\x1b", "\x7f", "\x9b"):
                assert is_refused(kind, f"a{control}b"), name


def test_text_of_invisible_characters_is_blank(texts: dict[str, Str]) -> None:
    for name, kind in texts.items():
        if kind.min_length:
            for blank in ("\u200b", "\ufeff", "\u00ad \u2060", "\u202e", "\u3164"):
                assert is_refused(kind, blank), name


def test_icons_and_classes_hold_names_of_classes(texts: dict[str, Str]) -> None:
    classes = {n: k for n, k in texts.items() if n.endswith(("Class", " icon"))}
    assert len(classes) >= 10

    assert all(isinstance(kind, ClassNames) for kind in classes.values())


def is_refused(kind: Str, text: str) -> bool:
    try:
        kind.parse(text)
    except ValueError:
        return True
    return False
