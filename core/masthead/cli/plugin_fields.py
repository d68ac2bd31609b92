"""The fields of a new plugin: ``price:number:10.2`` becomes a column with its field type."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import click
from sqlalchemy.orm import declarative_base

from masthead.cli.plugin_code import call, quoted
from masthead.schemas.cases import camel_case

MAX_FIELD = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_KIND_NAME = re.compile(r"[a-z][a-z0-9-]*")
_WORD = re.compile(r"[^\"'\\\x00-\x1f]{1,80}")
_USED = frozenset({"bool", "dict", "dt", "field", "float", "int", "list", "str"})
"""The names that the class of the model uses itself."""
_OF_BASE = frozenset(dir(declarative_base()))
"""The names that the base class of models has, such as ``registry``."""
_TEXT_OF_JSON = '{"type": "string"}'


@dataclass(frozen=True)
class NewType:
    """A field type of a new plugin, as code."""

    annotation: str
    """The type of the values in Python."""
    code: Sequence[str]
    """The lines of the expression that makes the field type; none for a computed field."""
    names: tuple[str, ...]
    """The names to import from ``masthead``."""
    imports: tuple[str, ...] = ()
    """The lines that import modules of Python."""
    default: str = ""
    """The default of the column; blank for a field that can be null."""
    suffix: str = ""
    """The end of the attribute's name."""
    target: str = ""
    """The content type or resource that it refers to; blank for other fields."""
    parts: tuple[str, ...] = ()
    """The names of the fields whose sum it is; none for a field that staff write."""


@dataclass(frozen=True)
class NewField:
    """A field of a new plugin."""

    name: str
    """The name as the author gave it: ``venue``."""
    attribute: str
    """The name of the model's attribute: ``venue_id``."""
    kind: NewType

    @property
    def wire(self) -> str:
        """The name in JSON: ``venueId``."""
        return camel_case(self.attribute)

    @property
    def help(self) -> str:
        """The sentence that describes it."""
        words = self.name.replace("_", " ")
        return f"Whether it is {words}." if self.kind.annotation == "bool" else f"The {words}."


def parse_fields(texts: Sequence[str], own: Container[str]) -> list[NewField]:
    """Return the fields that an author asks for, sums with the field types of their parts.

    :param texts: each ``NAME:KIND`` or ``NAME:KIND:ARGUMENT``.
    :param own: the attributes that the model has without these fields.
    :raises click.BadParameter: for the first one that is wrong.
    """
    fields: dict[str, NewField] = {}
    for text in texts:
        try:
            found = _parse(text, own, fields)
            fields[found.name] = _summed(found, fields) if found.kind.parts else found
        except ValueError as error:
            raise click.BadParameter(f"{text}: {error}", param_hint="--field") from None
    return list(fields.values())


def wire_name(fields: Sequence[NewField], name: str, own: Container[str], option: str) -> str:
    """Return the name in JSON of a field that an option names.

    :param own: the attributes that the model has without these fields.
    :raises click.BadParameter: for a field that the items don't have.
    """
    found = {text: f.wire for f in fields for text in (f.name, f.attribute, f.wire)}
    if name not in found and not (_NAME.fullmatch(name) and name in own):
        known = ", ".join(f.name for f in fields)
        raise click.BadParameter(f"there is no field {name}; there are {known}", param_hint=option)
    return found.get(name, camel_case(name))


def _parse(text: str, own: Container[str], others: Mapping[str, NewField]) -> NewField:
    """Return the field that a text describes; ValueError if there is none."""
    name, _, rest = text.partition(":")
    kind, _, argument = rest.partition(":")
    if not _NAME.fullmatch(name) or len(name) > MAX_FIELD or keyword.iskeyword(name):
        raise ValueError(f"a name has the form opens_at, and at most {MAX_FIELD} characters")
    if kind not in KINDS:
        close = difflib.get_close_matches(kind, KINDS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(KINDS)}"
        raise ValueError(f"there is no kind {kind!r}; {hint}")
    made = KINDS[kind](argument, name)
    # Of one performer there is an id, of several there are ids.
    stem = name.removesuffix("s") if made.suffix == "_ids" else name
    attribute = stem if stem.endswith(made.suffix) else stem + made.suffix
    if attribute in _USED | _OF_BASE or attribute in own:
        raise ValueError(f"an item can't have a further {attribute}; choose another name")
    if {name, attribute} & {*others, *(field.attribute for field in others.values())}:
        raise ValueError(f"there are two fields {name}")
    return NewField(name, attribute, made)


def _summed(field: NewField, others: Mapping[str, NewField]) -> NewField:
    """Return a sum with the field type of its parts."""
    parts = [others.get(name) for name in field.kind.parts]
    kinds = {part.kind.names for part in parts if part is not None and not part.kind.parts}
    if None in parts or len(kinds) != 1 or not kinds & {("Int",), ("Number",)}:
        raise ValueError("a sum names earlier fields that are all int, or all number")
    [[name]] = kinds
    attributes = tuple(part.attribute for part in parts if part is not None)
    places = "places=6" if name == "Number" else ""
    kind = replace(
        field.kind, names=(name, "Nullable"), parts=attributes, code=[f"{name}({places})"]
    )
    return replace(field, kind=kind)


def _plain(annotation: str, name: str, *imports: str) -> Callable[[str, str], NewType]:
    """Return the maker of a field type without an argument."""

    def make(argument: str, _name: str) -> NewType:
        if argument:
            raise ValueError("this kind takes no argument")
        return NewType(annotation, [f"{name}()"], (name,), imports)

    return make


def _text(name: str, length: int) -> Callable[[str, str], NewType]:
    """Return the maker of a type of text, whose argument is the maximum number of characters."""

    def make(argument: str, _name: str) -> NewType:
        if argument and not re.fullmatch(r"[1-9][0-9]{0,4}", argument):
            raise ValueError("the argument is the maximum number of characters, such as 80")
        own = argument or (str(length) if length else "")
        return NewType("str", [f"{name}({own})"], (name,))

    return make


def _bool(argument: str, name: str) -> NewType:
    return replace(_plain("bool", "Bool")(argument, name), default="False")


def _int(argument: str, _name: str) -> NewType:
    parts = _parts(argument)
    if len(parts) not in (0, 2) or not all(re.fullmatch(r"-?[0-9]{1,18}", it) for it in parts):
        raise ValueError("the argument is the least and the greatest number, such as 1,60")
    bounds = [int(each) for each in parts]
    if bounds != sorted(bounds):
        raise ValueError("the least number comes first")
    return NewType("int", call("Int", *map(str, bounds)), ("Int",))


def _number(argument: str, _name: str) -> NewType:
    imported = "from decimal import Decimal"
    if not argument:
        return NewType("Decimal", ["Number()"], ("Number",), (imported,))
    found = re.fullmatch(r"([0-9]{1,2})\.([0-6])", argument)
    digits, places = map(int, found.groups()) if found else (0, 0)
    if not 1 <= digits - places <= 12:
        raise ValueError(
            "the argument is the number of digits, and of those after the point, such as 10.2;"
            " at most 12 before it and 6 after it"
        )
    most = "9" * (digits - places) + ("." + "9" * places if places else "")
    code = call("Number", quoted(f"-{most}"), quoted(most), f"places={places}")
    return NewType("Decimal", code, ("Number",), (imported,))


def _choice(argument: str, _name: str) -> NewType:
    options = _parts(argument)
    if len(set(options)) < max(2, len(options)) or not all(map(_WORD.fullmatch, options)):
        raise ValueError("the argument has different words, such as easy,hard")
    return NewType("str", call("Choice", *map(quoted, options)), ("Choice",))


def _json(argument: str, _name: str) -> NewType:
    members = _parts(argument)
    if len(set(members)) < len(members) or not all(map(_WORD.fullmatch, members)):
        raise ValueError("the argument has the names of the members, such as size,colour")
    first = quoted(members[0] if members else "size")
    own = [f'        "additionalProperties": {_TEXT_OF_JSON},']
    if members:
        listed = [f"            {quoted(member)}: {_TEXT_OF_JSON}," for member in members]
        own = ['        "properties": {', *listed, "        },"]
    examples = [f'            {{{first}: "{value}"}},' for value in ("small", "large")]
    code = ['        "type": "object",', *own, '        "examples": [', *examples, "        ],"]
    imported = "from typing import Any"
    return NewType(
        "dict[str, Any]", ["Json(", "    {", *code, "    }", ")"], ("Json",), (imported,)
    )


def _list(argument: str, name: str) -> NewType:
    kind = _plain("list[str]", "ListOf")(argument, name)
    return replace(kind, code=["ListOf(Line())"], names=("Line", "ListOf"))


def _ref(argument: str, _name: str) -> NewType:
    kind = NewType("int", call("Ref", quoted(argument)), ("Ref",), suffix="_id")
    return replace(kind, target=_target(argument))


def _refs(argument: str, name: str) -> NewType:
    code = call("Refs", quoted(argument), f"embed={quoted(camel_case(name))}")
    return NewType("list[int]", code, ("Refs",), suffix="_ids", target=_target(argument))


def _parts(argument: str) -> list[str]:
    """Return the parts of an argument between commas, without the blanks around them."""
    return [part.strip() for part in argument.split(",")] if argument else []


def _target(argument: str) -> str:
    if not _KIND_NAME.fullmatch(argument):
        raise ValueError("the argument is the name of a content type or resource, such as venues")
    return argument


def _sum(argument: str, _name: str) -> NewType:
    parts = tuple(_parts(argument))
    if len(set(parts)) < max(2, len(parts)):
        raise ValueError("the argument has the names of fields, such as cooking,baking")
    return NewType("", (), (), parts=parts)


_TIMES = "import datetime as dt"
KINDS: Final[Mapping[str, Callable[[str, str], NewType]]] = {
    "bool": _bool,
    "choice": _choice,
    "date": _plain("dt.date", "Date", _TIMES),
    "email": _plain("str", "Email"),
    "geo": _plain("dict[str, float]", "GeoPoint"),
    "html": _plain("str", "Html"),
    "int": _int,
    "json": _json,
    "line": _text("Line", 0),
    "list": _list,
    "number": _number,
    "ref": _ref,
    "refs": _refs,
    "sum": _sum,
    "text": _text("Str", 2000),
    "time": _plain("dt.datetime", "Timestamp", _TIMES),
    "url": _plain("str", "Url"),
}
"""The functions that make a field type of an argument and the name of the field, by kind."""
