"""The operations of an OpenAPI document, as methods of a client need them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Schema = dict[str, Any]

JSON, FORM, EVENTS, PAGE = (
    "application/json",
    "multipart/form-data",
    "text/event-stream",
    "text/html",
)


@dataclass(frozen=True)
class Operation:
    """An operation of the document."""

    method: str
    path: str
    declared: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its id, such as ``staff.news.update``."""
        return str(self.declared["operationId"])

    @property
    def group(self) -> tuple[str, ...]:
        """The attributes that lead to it, such as staff and news."""
        return tuple(map(attribute, self.id.split(".")[:-1]))

    @property
    def name(self) -> str:
        """The name of its method."""
        return attribute(self.id.rpartition(".")[2])

    @property
    def stem(self) -> str:
        """The beginning of the names of its types."""
        return camel_case(self.id)

    @property
    def public(self) -> bool:
        """Whether it needs no token."""
        return not self.declared.get("security")

    def parameters(self, place: str) -> list[Mapping[str, Any]]:
        """Return the parameters in the path, the query or the headers."""
        return [each for each in self.declared.get("parameters", ()) if each["in"] == place]

    def takes_header(self, name: str) -> bool:
        """Whether it takes a header."""
        return any(each["name"] == name for each in self.parameters("header"))

    @cached_property
    def answer(self) -> tuple[str, Schema]:
        """The media type of its answer, JSON if there is a choice, and its schema."""
        content = self.declared["responses"].get("200", {}).get("content", {})
        kind = JSON if JSON in content else next(iter(content), "")
        return kind, content.get(kind, {}).get("schema", {})

    @cached_property
    def body(self) -> tuple[str, Schema]:
        """The media type of its body, JSON if there is a choice, and its schema; blank for none."""
        content = self.declared.get("requestBody", {}).get("content", {})
        kind = JSON if JSON in content else next(iter(content), "")
        return kind, content.get(kind, {}).get("schema", {})

    @property
    def for_programs(self) -> bool:
        """Whether its answer is for programs: neither a page for people nor only a redirect."""
        return self.answer[0] not in ("", PAGE) and self.body[0] in ("", JSON, FORM)


def operations_in(document: Mapping[str, Any]) -> Iterator[Operation]:
    """Yield the operations for programs, in the order of their ids."""
    found = [
        Operation(method.upper(), path, declared)
        for path, item in document["paths"].items()
        for method, declared in item.items()
        if isinstance(declared, dict) and "operationId" in declared
    ]
    for each in sorted(found, key=lambda each: each.id):
        if re.search(r"[^\w./{}~-]", each.path):
            raise ValueError(f"{each.path} is no path of Masthead")
        if each.for_programs:
            yield each


def attribute(name: str) -> str:
    """Return a name as an attribute of Python."""
    name = re.sub(r"\W", "_", name)
    if not name.isidentifier():
        raise ValueError(f"{name!r} can't be the name of a method")
    return f"{name}_" if keyword.iskeyword(name) else name


def camel_case(text: str) -> str:
    """Return the words of an id as the name of a class."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text))


def reference(schema: Mapping[str, Any]) -> str | None:
    """Return the name of the component that a schema refers to; None if it refers to none."""
    target = schema.get("$ref")
    return None if target is None else str(target).rpartition("/")[2]
