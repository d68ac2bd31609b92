"""Importing from JSON lines: what can be used is, and the rest is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from itertools import islice
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.errors import Invalid, Refusal
from masthead.http.wire import parse_json
from masthead.instance import Instance
from masthead.schemas.schema import bound, load, schema

BATCH = 200


@dataclass(frozen=True)
class Importer:
    """How lines of one kind become items."""

    body: colander.SchemaNode
    """The fields of a line."""
    check: Callable[[Mapping[str, Any]], None]
    """Raises ``Invalid`` for values that don't fit together; gets those of a line by wire name."""
    store: Callable[[Session, list[dict[str, Any]], bool, Caller | None], None]
    """Makes the items of checked lines, all or none: session, lines, whether to publish, who."""


@dataclass
class Line:
    """One line of the file and what became of it."""

    number: int
    """Counted from 1."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    warnings: list[str] = dataclass_field(default_factory=list)
    """Optional values that couldn't be used and became null."""
    error: str | None = None
    """Why nothing of the line was stored."""


def import_lines(
    instance: Instance,
    importer: Importer,
    lines: Iterable[bytes],
    *,
    publish: bool,
    actor: Caller | None,
) -> Iterator[Line]:
    """Store a line of JSON as an item each, a transaction per 200 lines; blank lines don't count.

    :param publish: whether the items are approved and published at once.
    :param actor: who becomes their creator.
    :returns: each line, after it was stored or refused.
    """
    reader = _LineReader(importer, instance)
    read = (reader.read(n, text) for n, text in enumerate(lines, 1) if text.strip())
    while batch := list(islice(read, BATCH)):
        store = partial(_store, instance, importer, publish=publish, actor=actor)
        _store_what_can_be(store, [line for line in batch if line.error is None])
        yield from batch


class _LineReader:
    """Checks lines field by field, so that one bad value doesn't cost the others."""

    def __init__(self, importer: Importer, instance: Instance) -> None:
        self._check = importer.check
        fields = bound(importer.body, instance.settings)
        self._fields = [schema({field.name: field}) for field in fields]
        """Each as a schema of its own."""

    def read(self, number: int, text: bytes) -> Line:
        line = Line(number)
        try:
            sent = parse_json(text)
            for alone in self._fields:
                self._read_field(line, alone, sent)
            self._check(line.values)
        except Invalid as error:
            line.error = error.message
        return line

    def _read_field(self, line: Line, alone: colander.SchemaNode, sent: dict[str, Any]) -> None:
        [field] = alone.children
        try:
            line.values |= load(alone, {k: v for k, v in sent.items() if k == field.name})
        except Invalid as error:
            if field.required:
                raise
            line.warnings.append(error.message)


def _store_what_can_be(store: Callable[[list[Line]], None], lines: list[Line]) -> None:
    """Store lines together; where one is refused only then, each by itself."""
    try:
        store(lines)
    except Refusal as refusal:
        if len(lines) == 1:
            lines[0].error = refusal.message
            return
        for line in lines:
            _store_what_can_be(store, [line])


def _store(
    instance: Instance,
    importer: Importer,
    lines: list[Line],
    *,
    publish: bool,
    actor: Caller | None,
) -> None:
    with instance.database.transaction() as session:
        importer.store(session, [line.values for line in lines], publish, actor)
