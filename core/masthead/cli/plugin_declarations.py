"""The modules of a new plugin with its table and its declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from masthead.cli.plugin_code import imported, indented, names_option, quoted
from masthead.cli.plugin_fields import NewField
from masthead.content.item import ContentItem
from masthead.resources.items import ResourceItem
from masthead.schemas.cases import snake_case

MIXINS: Mapping[str, type[Any]] = {"content": ContentItem, "resource": ResourceItem}
"""The mixin of the model, by kind of plugin."""
FIRST_FIELDS: Mapping[str, Sequence[str]] = {"content": ["link:url"], "resource": []}
"""The fields of a plugin for which the author names none, by kind of plugin."""
_BASE = '''\


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = plugin_metadata("{name}")


class Item({mixin}, Base):
    """{item}"""

    __tablename__ = "{name}_item"

'''
_PLUGIN = '''\


@hookimpl
def {hook}() -> list[{kind}]:
    """Return the {noun}."""
    return [{constant}]


plugin = Plugin(
    "{name}",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_{name}.migrations",
)
'''


@dataclass(frozen=True)
class Declared:
    """The fields and options of the content type or resource of a new plugin."""

    kind: str
    """``content`` or ``resource``."""
    name: str
    """The name of the plugin."""
    fields: Sequence[NewField] = ()
    filters: Sequence[str] = ()
    """The fields that lists are filtered by, by wire name."""
    expires: str = ""
    """The field with the time at which an item vanishes, by wire name; blank for none."""

    @property
    def label(self) -> str:
        """The name for readers."""
        return self.name.capitalize()

    @property
    def stored(self) -> list[NewField]:
        """The fields with a column."""
        return [field for field in self.fields if not field.kind.parts]

    @property
    def sums(self) -> list[NewField]:
        """The fields that are computed."""
        return [field for field in self.fields if field.kind.parts]


def models_file(declared: Declared) -> str:
    """Return the text of the module with the table."""
    mixin = MIXINS[declared.kind].__name__
    kinds = [field.kind for field in declared.stored]
    names = {mixin, "field", "plugin_metadata", *(n for kind in kinds for n in kind.names)}
    lines = {line for kind in kinds for line in kind.imports}
    modules = sorted(lines, key=lambda line: (line.startswith("from"), line))
    if declared.kind == "resource":
        doc, item = "The table of the items.", "An item of the resource."
        names |= {"Bool", "Line"}
        own = _RESOURCE_FIELDS
    else:
        doc = "The table; every content type has title, description, content and tags as well."
        item, own = "An item of the content type.", []
    fields = [line for field in declared.stored for line in _column(field)]
    head = [f'"""{doc}"""', "", *modules, *([""] if modules else [])]
    head += [*imported("masthead", names), "from sqlalchemy.orm import DeclarativeBase, Mapped"]
    body = _BASE.format(mixin=mixin, item=item, name=declared.name)
    return "\n".join(head) + "\n" + body + "\n".join(indented([*own, *fields])) + "\n"


_RESOURCE_FIELDS = [
    'name: Mapped[str] = field(Line(), required=True, help="The name.")',
    "published: Mapped[bool] = field(",
    '    Bool(), default=False, public=False, help="Whether the public sees it."',
    ")",
]


def _column(field: NewField) -> list[str]:
    """Return the lines that declare a field of the model."""
    kind = field.kind
    annotation = kind.annotation if kind.default else f"{kind.annotation} | None"
    code = [*kind.code[:-1], f"{kind.code[-1]},"]
    options = [f"default={kind.default},"] if kind.default else []
    options.append(f"help={quoted(field.help)},")
    return [f"{field.attribute}: Mapped[{annotation}] = field(", *indented([*code, *options]), ")"]


def plugin_file(declared: Declared) -> str:
    """Return the text of the module with the declaration and the hooks."""
    make = _resource if declared.kind == "resource" else _content_type
    names, lines, texts = make(declared)
    names |= {"Plugin", "hookimpl", *(name for f in declared.sums for name in f.kind.names)}
    head = [f'"""{declared.label} as a plugin: {texts.pop("doc")}."""', ""]
    if declared.kind == "resource" and any(map(_is_decimal, declared.sums)):
        head += ["from decimal import Decimal", ""]
    head += [
        *imported("masthead", names),
        "",
        f"from masthead_{declared.name}.models import Base, Item",
    ]
    return "\n".join([*head, *lines]) + "\n" + _PLUGIN.format(name=declared.name, **texts)


def _content_type(declared: Declared) -> tuple[set[str], list[str], dict[str, str]]:
    """Return the names, the lines and the texts of a plugin with a content type."""
    options = ['order="-createdAt",']
    if declared.expires:
        options.append(f"expires={quoted(declared.expires)},")
    if declared.filters:
        options += names_option("public_filters", declared.filters)
    if declared.sums:
        computed = [line for field in declared.sums for line in _expression(field)]
        options += ["computed={", *indented(computed), "},"]
    texts = {
        "doc": "a content type, with endpoints and approval from core",
        "hook": "masthead_content_types",
        "kind": "Approvable",
        "noun": "content type",
        "constant": "CONTENT_TYPE",
    }
    names = {"Approvable", "ContentType", *(["Computed"] if declared.sums else [])}
    return names, ["", *_declaration(declared, "ContentType", options)], texts


def _resource(declared: Declared) -> tuple[set[str], list[str], dict[str, str]]:
    """Return the names, the lines and the texts of a plugin with a resource."""
    options = [f'area="{declared.name}",', 'search_fields=("name",),', "trash=True,"]
    if declared.filters:
        options += names_option("filters", declared.filters)
    names, functions = {"PublicRoutes", "Resource"}, []
    if declared.sums:
        names.add("TIMES")
        shows = [f"{quoted(field.wire)}: {_described(field)}," for field in declared.sums]
        options += ["shows={", *indented([*shows, "**TIMES,"]), "},"]
        computed = [f"{quoted(field.wire)}: add_{field.attribute}," for field in declared.sums]
        options += ["computed={", *indented(computed), "},"]
        functions = [line for field in declared.sums for line in ("", "", *_function(field))]
    options.append("public=PublicRoutes(),")
    texts = {
        "doc": "a resource, with endpoints of staff and of the public",
        "hook": "masthead_resources",
        "kind": "Resource",
        "noun": "resource",
        "constant": "RESOURCE",
    }
    apart = ["", ""] if functions else [""]
    return names, [*functions, *apart, *_declaration(declared, "Resource", options)], texts


def _declaration(declared: Declared, kind: str, options: Sequence[str]) -> list[str]:
    """Return the lines of a declaration, whose name is that of its class."""
    constant = snake_case(kind).upper()
    first = [f'name="{declared.name}",', f'label="{declared.label}",', "model=Item,"]
    return [f"{constant} = {kind}(", *indented([*first, *options]), ")"]


def _described(field: NewField) -> str:
    """Return the field type of a sum."""
    [kind] = field.kind.code
    return f"Nullable({kind}).described({quoted(field.help)})"


def _expression(field: NewField) -> list[str]:
    """Return the lines of a computed field of a content type."""
    added = " + ".join(f"table.c.{part}" for part in field.kind.parts)
    return [
        f"{quoted(field.wire)}: Computed(",
        *indented([f"{_described(field)},", f"expression=lambda table: {added},"]),
        "),",
    ]


def _function(field: NewField) -> list[str]:
    """Return the lines of the function that computes a field of a resource."""
    start = ", Decimal()" if _is_decimal(field) else ""
    body = [
        f'"""Return the {field.name.replace("_", " ")}; None if a part is missing."""',
        "parts = [",
        *indented(f"item.{part}," for part in field.kind.parts),
        "]",
        "known = [part for part in parts if part is not None]",
        f"return sum(known{start}) if len(known) == len(parts) else None",
    ]
    returned = "Decimal" if _is_decimal(field) else "int"
    return [f"def add_{field.attribute}(item: Item) -> {returned} | None:", *indented(body)]


def _is_decimal(field: NewField) -> bool:
    """Whether a sum is one of decimal numbers."""
    return "Number" in field.kind.names
