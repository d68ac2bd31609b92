"""Importing content from JSON lines: what can be used is, and the rest is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from itertools import islice
from typing import Any

import colander

from masthead.approval.services import publish_new
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.schemas import create_body
from masthead.content.services import create_items
from masthead.content.staging import TAG_IDS
from masthead.db.slugs import flush_with_slugs
from masthead.errors import Invalid, Refusal
from masthead.instance import Instance
from masthead.schema import ListOf, Str, bound, extended, load, maybe, schema
from masthead.tags.services import ensure_tags
from masthead.wire import parse_json

BATCH = 200
TAGS = "tags"


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
    content_type: ContentType,
    lines: Iterable[bytes],
    *,
    publish: bool,
    actor: Caller | None,
) -> Iterator[Line]:
    """Store a line of JSON as an item each, a transaction per 200 lines; blank lines don't count.

    :param lines: with the fields of a create; ``tags`` are names, made where they are missing.
    :param publish: whether the items are approved and published at once.
    :param actor: who becomes their creator.
    :returns: each line, after it was stored or refused.
    """
    reader = _LineReader(content_type, instance)
    read = (reader.read(n, text) for n, text in enumerate(lines, 1) if text.strip())
    while batch := list(islice(read, BATCH)):
        store = partial(_store, instance, content_type, publish=publish, actor=actor)
        _store_what_can_be(store, [line for line in batch if line.error is None])
        yield from batch


class _LineReader:
    """Checks lines field by field, so that one bad value doesn't cost the others."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        self._content_type = content_type
        tags = {TAGS: maybe(ListOf(Str(), unique=True))}
        body = bound(extended(create_body(content_type), tags), instance.settings)
        self._fields = [node for node in body if node.name != TAG_IDS]

    def read(self, number: int, text: bytes) -> Line:
        line = Line(number)
        try:
            sent = parse_json(text)
            for field in self._fields:
                self._read_field(line, field, sent)
            self._content_type.check(
                {f.name: line.values.get(f.name) for f in self._content_type.fields}
            )
        except Invalid as error:
            line.error = error.message
        return line

    def _read_field(self, line: Line, field: colander.SchemaNode, sent: dict[str, Any]) -> None:
        alone = schema({field.name: field})
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
    content_type: ContentType,
    lines: list[Line],
    *,
    publish: bool,
    actor: Caller | None,
) -> None:
    """Make the items of lines, all or none."""
    bodies = [line.values for line in lines]
    with instance.database.transaction() as session:
        ids = ensure_tags(session, {name for body in bodies for name in body.get(TAGS, ())})
        for body in bodies:
            body[TAG_IDS] = list(dict.fromkeys(ids[name] for name in body.get(TAGS, ())))
        items = create_items(session, content_type, bodies, actor)
        if publish:
            without = [(item, item.title) for item in items if item.slug is None]
            flush_with_slugs(session, content_type.model, without)
            publish_new(session, content_type, items, actor)
