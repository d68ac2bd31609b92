"""The code of the operations: a class for each group of operations, a method for each of them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from masthead_client.asynchronous import AsyncBaseClient
from masthead_client.generate.operations import (
    EVENTS,
    FORM,
    JSON,
    Operation,
    Schema,
    attribute,
    camel_case,
    reference,
)
from masthead_client.generate.types import form_type, query_type
from masthead_client.requests import Requests

_HEADER = '''\
"""The operations by the words of their ids. Made from the OpenAPI document; don't edit."""

# The answers of an instance are not checked: their types are those of the document.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Unpack

from masthead_client.answers import AsyncResults, Revision
from masthead_client.asynchronous import AsyncBaseClient, AsyncGroup
from masthead_client.live import LiveEvent
from masthead_client.requests import new_key, part
from masthead_client.uploads import File, Progress

if TYPE_CHECKING:
    from . import types
'''
_WIDTH = 88
_RESERVED = {*dir(AsyncBaseClient), *Requests.__annotations__}
"""The attributes of every client, which a group of operations can't have as its name."""

Group = tuple[str, ...]


def operations_module(operations: list[Operation], schemas: Mapping[str, Schema]) -> str:
    """Return the asynchronous module."""
    groups: dict[Group, list[Operation]] = {(): []}
    for each in operations:
        for length in range(len(each.group) + 1):
            groups.setdefault(each.group[:length], [])
        groups[each.group].append(each)
    # A class comes after those that its attributes return.
    ordered = sorted(groups, key=lambda group: (-len(group), group))
    classes = [_class(group, groups, schemas) for group in ordered]
    return "\n\n".join([_HEADER, *classes])


def _class(
    group: Group, groups: Mapping[Group, list[Operation]], schemas: Mapping[str, Schema]
) -> str:
    inner = sorted(each for each in groups if each[:-1] == group and each)
    if group:
        title = f"class {camel_case('.'.join(group))}(AsyncGroup):"
        about = f'    """The operations ``{".".join(group)}``."""\n'
        client = "self._client"
    else:
        title, client = "class AsyncClient(AsyncBaseClient):", "self"
        about = '    """A client with all operations of an instance."""\n'
    members = [
        *(_attribute(each, client) for each in inner),
        *(textwrap.indent("\n".join(_method(each, schemas)), "    ") for each in groups[group]),
    ]
    return "\n".join([title, about, *(f"{member}\n" for member in members)])


def _attribute(group: Group, client: str) -> str:
    kind, name = camel_case(".".join(group)), group[-1]
    if len(group) == 1 and name in _RESERVED:
        name += "_"
    return (
        f"    @property\n    def {name}(self) -> {kind}:\n"
        f'        """The operations ``{".".join(group)}``."""\n        return {kind}({client})'
    )


def _method(operation: Operation, schemas: Mapping[str, Schema]) -> Iterator[str]:
    kind, returned = _answer(operation)
    awaited = kind in ("object", "bytes", "upload")
    define, call = ("async def", "await ") if awaited else ("def", "")
    arguments = ["self", *_arguments(operation, schemas)]
    yield from _lines(f"{define} {operation.name}(", arguments, f") -> {returned}:")
    yield from (f"    {line}".rstrip() for line in _docstring(operation))
    function = {"object": "request"}.get(kind, f"request_{kind}")
    given = list(_given(operation, kind, schemas))
    for line in _lines(f"return {call}self._client.{function}(", given, ")"):
        yield f"    {line}"


def _lines(start: str, arguments: list[str], end: str) -> list[str]:
    """Return a call in one line, or in one for each argument if that is too long."""
    line = f"{start}{', '.join(arguments)}{end}"
    if len(line) <= _WIDTH + 4:
        return [line]
    return [start, *(f"    {each}," for each in arguments), end]


def _answer(operation: Operation) -> tuple[str, str]:
    """Return the kind of the answer and its type."""
    media_type, schema = operation.answer
    if media_type == EVENTS:
        return "events", "AsyncGenerator[LiveEvent, None]"
    if media_type != JSON:
        return "bytes", "bytes"
    kind = "upload" if operation.body[0] == FORM else "object"
    if schema.get("type") == "array" and operation.method == "GET":
        return "list", f"AsyncResults[{_type(schema['items'])}]"
    return kind, _type(schema)


def _type(schema: Schema) -> str:
    name = reference(schema)
    return (
        f"types.{name}" if name else "dict[str, Any]" if schema.get("type") == "object" else "Any"
    )


def _arguments(operation: Operation, schemas: Mapping[str, Schema]) -> Iterator[str]:
    for each in operation.parameters("path"):
        kind = "int" if each["schema"].get("type") == "integer" else "str"
        yield f"{attribute(each['name'])}: {kind}"
    media_type, schema = operation.body
    named: list[str] = []
    if media_type == JSON:
        yield f"body: {_type(schema)}"
    elif media_type == FORM:
        yield "file: File"
        named.append("progress: Progress | None = None")
    if (form := form_type(operation, schemas)) is not None:
        named.append(f"form: types.{form} | None = None")
    if operation.takes_header("If-Match"):
        named.append("if_match: Revision | None = None")
    if operation.takes_header("Idempotency-Key"):
        named.append("idempotency_key: str | None = None")
    yield from ["*", *named] if named else ()
    if (query := query_type(operation)) is not None:
        yield f"**query: Unpack[types.{query}]"


def _docstring(operation: Operation) -> Iterator[str]:
    summary = _escaped(operation.declared.get("summary") or operation.id).rstrip(".")
    described = _escaped(operation.declared.get("description", ""))
    paragraphs = [
        textwrap.fill(each, _WIDTH, break_on_hyphens=False, break_long_words=False)
        for each in described.split("\n\n")
        if each
    ]
    title = textwrap.wrap(f'"""{summary}.', _WIDTH, break_on_hyphens=False)
    if not paragraphs:
        yield from [*title[:-1], f'{title[-1]}"""']
        return
    yield from [*title, "", *"\n\n".join(paragraphs).split("\n"), '"""']


def _escaped(text: object) -> str:
    """Return a text that can't end the string around it."""
    return str(text).replace("\\", "\\\\").replace('"', '\\"')


def _given(operation: Operation, kind: str, schemas: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the arguments of the call that sends the request."""
    if kind in ("object", "bytes"):
        yield f'"{operation.method}"'
    path = re.sub(r"{([^}]+)}", lambda found: f"{{part({attribute(found[1])})}}", operation.path)
    yield f'f"{path}"' if "{" in path else f'"{path}"'
    if kind == "upload":
        yield from ("file", "progress=progress")
    if query_type(operation) is not None:
        yield "query=query"
    if form_type(operation, schemas) is not None:
        yield "form=form"
    if operation.body[0] == JSON:
        yield "body=body"
    if operation.takes_header("If-Match"):
        yield "if_match=if_match"
    if operation.takes_header("Idempotency-Key"):
        yield "idempotency_key=idempotency_key or new_key()"
    if operation.public:
        yield "public=True"
