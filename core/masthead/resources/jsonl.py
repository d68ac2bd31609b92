"""The import of JSON lines: valid lines are stored, and mistakes are reported line by line."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from masthead.auth.caller import Caller
from masthead.errors import Invalid
from masthead.http.wire import parse_json
from masthead.instance import Instance
from masthead.resources.ahead import map_ahead
from masthead.resources.importing import (
    BATCH,
    FieldChecker,
    ForeignItem,
    Importer,
    Origin,
    Writer,
)
from masthead.schemas.cleaning import is_blank
from masthead.schemas.field_types import DESCRIPTION, Bool, Str
from masthead.schemas.slugs import SLUG_FIELD

EXTERNAL_ID, ID = "externalId", "id"
"""The names of the id in the other system; the first counts if a line has both."""
FORMER_PATHS = "formerPaths"
PUBLISHED = "published"
_MAX_FORMER_PATHS = 20


def import_lines(  # noqa: PLR0913 - one parameter per option
    instance: Instance,
    importer: Importer,
    lines: Iterable[bytes],
    *,
    publish: bool,
    actor: Caller | None,
    origin: Origin | None = None,
    dry_run: bool = False,
    ahead: bool = False,
) -> Iterator[ForeignItem]:
    """Store each line of JSON as an item, in one transaction per 200 lines; skip blank lines.

    :param publish: whether to approve and publish the items at once.
    :param actor: the creator of the items.
    :param origin: the system that the file comes from.
    :param dry_run: whether to roll each transaction back.
    :param ahead: whether a second process, a fork of this one, may read and check lines.
    :returns: each line, after it was stored, skipped or refused.
    """
    origin = origin or Origin()
    reader = _LineReader(FieldChecker(importer, instance, origin.zone))
    writer = Writer(instance, importer, origin, actor, publish=publish, dry_run=dry_run)
    numbered = ((n, text) for n, text in enumerate(lines, 1) if text.strip())
    read = map_ahead(reader.read, numbered, BATCH) if ahead else map(reader.read, numbered)
    while batch := list(islice(read, BATCH)):
        writer.store([line for line in batch if line.error is None])
        yield from batch


class _LineReader:
    """Parses and checks lines."""

    def __init__(self, checker: FieldChecker) -> None:
        self._checker = checker
        own = checker.names
        self._external = [name for name in (EXTERNAL_ID, ID) if ID not in own and name not in own]

    def read(self, numbered: tuple[int, bytes]) -> ForeignItem:
        number, text = numbered
        line = ForeignItem(number)
        try:
            sent = parse_json(text.removeprefix(BOM_UTF8) if number == 1 else text)
            line.external_id = self._read_external_id(sent)
            line.values = sent
            line.publish = _may_be_published(sent)
            line.former_paths = tuple(_read_former_paths(line, sent))
            self._read_slug(line, sent)
            self._checker.check(line)
        except Invalid as error:
            line.error = error.message
        return line

    def _read_external_id(self, sent: Mapping[str, Any]) -> str | None:
        """Return the id in the other system; None if the line has none."""
        for name in self._external:
            value = sent.get(name)
            if value is None or is_blank(value):
                continue
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            try:
                return Str().parse(value)
            except ValueError as error:
                raise Invalid(f"{name}: {error}") from None
        return None

    def _read_slug(self, line: ForeignItem, sent: Mapping[str, Any]) -> None:
        value = sent.get(SLUG_FIELD)
        if value is None or is_blank(value) or not self._checker.has_slug:
            return
        try:
            line.slug = Str().parse(value)
        except ValueError as error:
            line.warnings.append(f"{SLUG_FIELD}: {error}")


def _may_be_published(sent: Mapping[str, Any]) -> bool:
    """Whether a line doesn't say that its item is unpublished."""
    try:
        return sent.get(PUBLISHED) is None or bool(Bool().parse(sent[PUBLISHED]))
    except ValueError:
        return False


def _read_former_paths(line: ForeignItem, sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the former paths of a line that are text."""
    given = sent.get(FORMER_PATHS)
    if given is None:
        return
    if not isinstance(given, list) or len(given) > _MAX_FORMER_PATHS:
        line.warnings.append(f"{FORMER_PATHS}: Must be a list of at most {_MAX_FORMER_PATHS}")
        return
    for number, each in enumerate(given):
        try:
            yield Str(DESCRIPTION).parse(each)
        except ValueError as error:
            line.warnings.append(f"{FORMER_PATHS}.{number}: {error}")
