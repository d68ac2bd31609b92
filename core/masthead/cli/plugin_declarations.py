"""The modules of a new plugin with its table and its declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from masthead.cli.plugin_code import imported, indented, names_option, quoted
from masthead.cli.plugin_fields import NewField
from masthead.content.item import ContentItem
from masthead.resources.items import ResourceItem
from masthead.schemas.labels import singular_of

MIXINS: Mapping[str, type[Any]] = {"content": ContentItem, "resource": ResourceItem}
"""The mixin of the model, by kind of plugin."""
FIRST_FIELDS: Mapping[str, Sequence[str]] = {"content": ["link:url"], "resource": []}
"""The fields of a plugin for which the author names none, by kind of plugin."""
_OWN_FIELDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "content": {},
    "resource": {
        "name": ['name: Mapped[str] = field(Line(), required=True, help="The name.")'],
        "published": [
            "published: Mapped[bool] = field(",
            '    Bool(), default=False, public=False, help="Whether the public sees it."',
            ")",
        ],
    },
}
"""The lines of the fields that the model has besides those of the author, by kind of plugin."""
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
class _Role:
    """The words and names of a kind of plugin."""

    doc: str
    made: str
    """The class of the declaration."""
    returned: str
    """The type of the objects that the hook returns."""
    hook: str
    noun: str
    constant: str
    filters: str
    """The option that names the filters of lists."""
    options: tuple[str, ...]
    """The lines of further options."""
    further: tuple[str, ...] = ()
    """Further names that the module imports."""

    @property
    def names(self) -> set[str]:
        """The names that the module imports from ``masthead``."""
        return {self.made, self.returned, *self.further}


_ROLES = {
    "content": _Role(
        doc="a content type, with endpoints and approval from core",
        made="ContentType",
        returned="Approvable",
        hook="masthead_content_types",
        noun="content type",
        constant="CONTENT_TYPE",
        filters="public_filters",
        options=('order="-createdAt",',),
    ),
    "resource": _Role(
        doc="a resource, with endpoints of staff and of the public",
        made="Resource",
        returned="Resource",
        hook="masthead_resources",
        noun="resource",
        constant="RESOURCE",
        filters="filters",
        options=(
            'area="{name}",',
            'search_fields=("name",),',
            "trash=True,",
            "public=PublicRoutes(),",
        ),
        further=("PublicRoutes",),
    ),
}


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
        """The name of the plugin for readers."""
        return self.name.capitalize()

    @property
    def item_labels(self) -> Mapping[str, str]:
        """The options with the names of the items for readers."""
        label = singular_of(self.label)
        return {"label": label} | ({"plural": label} if label == self.label else {})

    @property
    def stored(self) -> list[NewField]:
        """The fields with a column."""
        return [field for field in self.fields if not field.kind.parts]

    @property
    def sums(self) -> list[NewField]:
        """The fields that are computed."""
        return [field for field in self.fields if field.kind.parts]


def own_names(kind: str) -> set[str]:
    """Return the attributes that each model of a kind of plugin has."""
    return {*dir(MIXINS[kind]), *_OWN_FIELDS[kind]}


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
    else:
        doc = "The table; every content type has title, description, content and tags as well."
        item = "An item of the content type."
    own = [line for lines in _OWN_FIELDS[declared.kind].values() for line in lines]
    fields = [line for field in declared.stored for line in _column(field)]
    head = [f'"""{doc}"""', "", *modules, *([""] if modules else [])]
    head += [*imported("masthead", names), "from sqlalchemy.orm import DeclarativeBase, Mapped"]
    body = _BASE.format(mixin=mixin, item=item, name=declared.name)
    return "\n".join(head) + "\n" + body + "\n".join(indented([*own, *fields])) + "\n"


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
    role = _ROLES[declared.kind]
    names = {*role.names, "Plugin", "hookimpl"}
    if declared.sums:
        names |= {"Computed", *(name for field in declared.sums for name in field.kind.names)}
    head = [
        f'"""{declared.label} as a plugin: {role.doc}."""',
        "",
        *imported("masthead", names),
        "",
        f"from masthead_{declared.name}.models import Base, Item",
        "",
    ]
    hooks = _PLUGIN.format(
        name=declared.name,
        hook=role.hook,
        kind=role.returned,
        noun=role.noun,
        constant=role.constant,
    )
    return "\n".join([*head, *_declaration(declared, role)]) + "\n" + hooks


def _declaration(declared: Declared, role: _Role) -> list[str]:
    """Return the lines of the content type or resource."""
    labels = [f'{name}="{label}",' for name, label in declared.item_labels.items()]
    options = [f'name="{declared.name}",', *labels, "model=Item,"]
    options += [option.format(name=declared.name) for option in role.options]
    if declared.expires:
        options.append(f"expires={quoted(declared.expires)},")
    if declared.filters:
        options += names_option(role.filters, declared.filters)
    if declared.sums:
        computed = [line for field in declared.sums for line in _expression(field)]
        options += ["computed={", *indented(computed), "},"]
    return [f"{role.constant} = {role.made}(", *indented(options), ")"]


def _expression(field: NewField) -> list[str]:
    """Return the lines of a sum."""
    [kind] = field.kind.code
    described = f"Nullable({kind}).described({quoted(field.help)}),"
    added = " + ".join(f"table.c.{part}" for part in field.kind.parts)
    lines = [described, f"expression=lambda table: {added},"]
    return [f"{quoted(field.wire)}: Computed(", *indented(lines), "),"]
