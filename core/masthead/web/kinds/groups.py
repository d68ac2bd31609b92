"""Items that are no content type or resource, found by their endpoints: tags, users, navigation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from masthead.http.endpoints import Endpoint
from masthead.resources.options import CREATE, DELETE, LIST, SHOW, UPDATE
from masthead.schemas.fields import Field
from masthead.schemas.schema import ListOf, Object

STAFF_PATH = "/api/staff/"
_CALLS = {
    ("GET", False): LIST,
    ("POST", False): CREATE,
    ("GET", True): SHOW,
    ("PUT", True): UPDATE,
    ("DELETE", True): DELETE,
}
_ITEM = re.compile(r"(?P<list>.+)/\{(?P<key>\w+)\}")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Group:
    """The endpoints at the path of a list and below it, as far as they handle the items alike."""

    path: str
    """The path below ``/api/staff/``."""
    operations: Mapping[str, Endpoint]
    """The endpoints by the names of their operations."""
    label: str
    description: str
    plural: str = ""
    fields: tuple[Field, ...] = ()
    order: tuple[str, ...] = ()
    approval = None

    @property
    def name(self) -> str:
        """The name, which is the path."""
        return self.path

    @property
    def named(self) -> bool:
        """Whether the ids are text."""
        return not self.operations[UPDATE].path.endswith("{id}")

    @property
    def read_permission(self) -> str:
        """The permission to list the items."""
        return self.operations[LIST].permission

    @property
    def write_permission(self) -> str:
        """The permission to create and change items."""
        return self.operations[UPDATE].permission

    @property
    def also_needs(self) -> tuple[str, ...]:
        """The further permissions to create and change items."""
        return self.operations[UPDATE].also_needs


def groups_of(endpoints: Iterable[Endpoint], declared: Iterable[str]) -> Iterator[Group]:
    """Yield the groups of endpoints that list, create and change items.

    :param declared: the paths below ``/api/staff/`` of content types and resources.
    """
    found: dict[str, dict[str, Endpoint]] = {}
    for each in endpoints:
        item = _ITEM.fullmatch(each.path)
        path = item["list"] if item else each.path
        operation = _CALLS.get((each.method, item is not None))
        if operation and path.startswith(STAFF_PATH) and "{" not in path:
            found.setdefault(path.removeprefix(STAFF_PATH), {})[operation] = each
    for path in found.keys() - set(declared):
        operations = found[path]
        answer = operations[LIST].returns if LIST in operations else None
        if not isinstance(answer, ListOf) or not isinstance(answer.inner, Object):
            continue
        if {CREATE, UPDATE} <= operations.keys():
            node = answer.inner.node
            yield Group(path, operations, _WORD.sub(" ", node.type_name), node.description)
