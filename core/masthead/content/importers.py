"""The import of items of any kind: of a content type or of a resource."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.content.contenttype import content_types_of
from masthead.content.jsonl_import import content_importer
from masthead.db.slugs import free_slugs
from masthead.errors import NotFound
from masthead.instance import Instance
from masthead.organisation.services import organisation_of
from masthead.resources.external_ids import known_slugs
from masthead.resources.former_slugs import former_slugs
from masthead.resources.importing import (
    BATCH,
    FieldChecker,
    ForeignItem,
    Importer,
    Origin,
    Writer,
)
from masthead.resources.jsonl_import import resource_importer
from masthead.resources.options import CREATE


def importer_named(instance: Instance, kind: str) -> Importer:
    """Return the importer of a content type, or of a resource with a create endpoint.

    :raises NotFound: for another name.
    """
    importers = {it.name: content_importer(it) for it in content_types_of(instance)}
    made = (it for it in instance.resources.values() if CREATE in it.operations)
    importers |= {it.name: resource_importer(it) for it in made}
    if kind not in importers:
        known = ", ".join(importers) or "none"
        raise NotFound(f"There is no content type {kind}; there are: {known}")
    return importers[kind]


def import_items(
    instance: Instance,
    kind: str,
    items: Iterable[ForeignItem],
    *,
    publish: bool,
    actor: Caller | None,
    source: str = "",
    dry_run: bool = False,
) -> Iterator[ForeignItem]:
    """Store items of another system, in one transaction per 200 items.

    :param kind: the name of a content type or resource.
    :param publish: whether to approve and publish the items that may be published.
    :param actor: the creator of the items; None for the command line.
    :param source: the name of the other system.
    :param dry_run: whether to roll each transaction back.
    :returns: each item, after it was stored, skipped or refused.
    :raises NotFound: for an unknown kind.
    """
    importer, origin = importer_named(instance, kind), Origin(source)
    checker = FieldChecker(importer, instance, origin.zone)
    writer = Writer(instance, importer, origin, actor, publish=publish, dry_run=dry_run)
    remaining = iter(items)
    while batch := list(islice(remaining, BATCH)):
        for item in batch:
            checker.check(item)
        writer.store([item for item in batch if item.error is None])
        yield from batch


def imported_slugs(
    instance: Instance, kind: str, source: str, external_ids: Iterable[str]
) -> dict[str, str | None]:
    """Return the slugs of the items that an earlier import stored, by external id.

    :param kind: the name of a content type or resource whose items have slugs.
    :param source: the name of the other system.
    """
    model, remaining = importer_named(instance, kind).model, iter(external_ids)
    found: dict[str, str | None] = {}
    with instance.database.read() as connection, Session(connection) as session:
        while batch := list(islice(remaining, BATCH)):
            found |= known_slugs(session, model, kind, source, batch)
    return found


def planned_slugs(instance: Instance, kind: str, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the slug that each new item of an import will get, by external id.

    Another writer may take one of them before the import does.

    :param wanted: the wanted slugs, or titles, by external id.
    """
    model, resource = importer_named(instance, kind).model, instance.resources.get(kind)
    reserved = resource.reserved_slugs(instance) if resource else ()
    with instance.database.session(read_only=True) as session:
        slugs = free_slugs(
            session,
            model,
            list(wanted.values()),
            reserved=reserved,
            former=former_slugs(kind),
            language=organisation_of(session).language,
        )
    return dict(zip(wanted, slugs, strict=True))
