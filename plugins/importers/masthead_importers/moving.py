"""Moves the items of an export to Masthead, in two passes over the export.

The first pass finds out where each item will be, so that the second one can correct the links
between them. Items that an earlier run has imported are skipped before anything is done for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from masthead import (
    Caller,
    ForeignItem,
    Html,
    Instance,
    Invalid,
    NotFound,
    create_authors,
    find_authors,
    former_path,
    import_items,
    imported_slugs,
    planned_slugs,
)
from masthead_importers.addresses import FormerSite, split_address
from masthead_importers.content import ContentWriter
from masthead_importers.entries import Entry, Export
from masthead_importers.media import Media
from masthead_importers.report import Report
from masthead_importers.targets import Target, find_targets

_BATCH = 200
_WITHOUT_LOSS = {"publishedAt", "scheduledPublishAt"}
"""Values that a target needs no field for."""


@dataclass(frozen=True)
class Options:
    """The options of an import."""

    source: str = ""
    """The name of the other system, under which ids are remembered; blank for one made of the
    format and the host of the former website."""
    publish: bool = False
    dry_run: bool = False
    caller: Caller | None = None
    """The user who becomes the creator of the items."""
    media: Path | None = None
    """The folder of uploaded files."""
    create_authors: bool = False
    """Whether to create users for authors without one."""
    targets: Mapping[str, str] = field(default_factory=dict)
    """The names of content types or resources by kind of entry, instead of the usual ones."""


def move(instance: Instance, export: Export, options: Options) -> Report:
    """Import an export, and return the report.

    :raises Invalid: for a file that is damaged or has another format.
    :raises NotFound: for a target that isn't enabled.
    """
    return _Mover(instance, export, options).run()


class _Mover:
    """The state of an import."""

    def __init__(self, instance: Instance, export: Export, options: Options) -> None:
        self._instance = instance
        self._export = export
        self._options = options
        self._targets = find_targets(instance, options.targets)
        self._report = Report()
        self._source = options.source
        self._imported: dict[str, set[str]] = defaultdict(set)
        """The ids of the items that an earlier run has imported, by name of the target."""
        self._authors: dict[str, int] = {}
        self._media = Media(
            instance,
            options.media,
            export.media_markers,
            options.caller,
            dry_run=options.dry_run,
        )

    def run(self) -> Report:
        """Read the export twice, and import its items."""
        site = self._survey()
        self._authors = self._read_authors()
        kind = Html().bound(self._instance.settings)
        writer = ContentWriter(self._export, site, self._media, kind, self._report)
        waiting: dict[str, list[Entry]] = defaultdict(list)
        for entry in self._export.entries(self._report):
            target = self._target(entry.kind)
            waiting[target.name].append(entry)
            if len(waiting[target.name]) == _BATCH:
                self._store(target, waiting.pop(target.name), writer)
        for entries in waiting.values():
            self._store(self._target(entries[0].kind), entries, writer)
        if self._media.images:
            self._report.outcomes["images"]["imported"] = self._media.images
        return self._report

    def _survey(self) -> FormerSite:
        """Read the export once, and find out where each item will be."""
        wanted: dict[Target, dict[str, str]] = defaultdict(dict)
        addresses: dict[str, tuple[Target, str]] = {}
        for entry in self._export.entries(Report()):
            target = self._target(entry.kind)
            wanted[target].setdefault(entry.key, entry.slug or entry.title)
            for path in _former_paths(entry):
                addresses.setdefault(path, (target, entry.key))
        host = split_address(self._export.home).hostname
        self._source = self._source or ":".join(filter(None, (self._export.format, host)))
        slugs = {target: self._plan(target, ids) for target, ids in wanted.items()}
        return FormerSite(
            self._export.home,
            {
                path: target.address(slugs[target][key])
                for path, (target, key) in addresses.items()
                if target.has_address
            },
        )

    def _target(self, kind: str) -> Target:
        """Return the target of a kind of entry.

        :raises NotFound: if no installed plugin has one.
        """
        if kind not in self._targets:
            raise NotFound(f"No enabled plugin takes items of the kind {kind}")
        return self._targets[kind]

    def _plan(self, target: Target, wanted: Mapping[str, str]) -> dict[str, str]:
        """Return the present or future slug of each item."""
        known = imported_slugs(self._instance, target.name, self._source, wanted)
        self._imported[target.name].update(known)
        had = {key: slug or wanted[key] for key, slug in known.items()}
        new = {key: slug for key, slug in wanted.items() if key not in known}
        return had | planned_slugs(self._instance, target.name, new)

    def _read_authors(self) -> dict[str, int]:
        """Return the ids of the users who are authors, and create missing ones if wanted."""
        authors = list(self._export.authors.values())
        if not authors:
            return {}
        with self._instance.database.transaction() as session:
            found = find_authors(session, authors)
            missing = [author for author in authors if author.key not in found]
            if self._options.create_authors:
                if self._options.dry_run:
                    return found
                found |= create_authors(session, missing)
                missing = [author for author in missing if author.key not in found]
        for author in missing:
            self._report.warn("an author is no user here", author.name)
        return found

    def _store(self, target: Target, entries: Sequence[Entry], writer: ContentWriter) -> None:
        """Import some entries of one target."""
        known = self._imported[target.name]
        new = {entry.key: entry for entry in entries if entry.key not in known}
        if skipped := len(entries) - len(new):
            self._report.outcomes[target.name]["skipped"] += skipped
        items = [item for entry in new.values() if (item := self._item(target, entry, writer))]
        # First, because a further import after a crash skips the items that are stored.
        self._media.add_redirects()
        done = import_items(
            self._instance,
            target.name,
            items,
            publish=self._options.publish,
            actor=self._options.caller,
            source=self._source,
            dry_run=self._options.dry_run,
        )
        for item in done:
            self._count(target, new[item.external_id or ""], item)
        known |= new.keys()

    def _item(self, target: Target, entry: Entry, writer: ContentWriter) -> ForeignItem | None:
        """Return the item for an entry; None if its content can't be used."""
        try:
            values = writer.write(entry)
        except Invalid as error:
            self._report.outcomes[target.name]["errors"] += 1
            self._report.warn(f"not imported: {error.message}", str(entry))
            return None
        for name in sorted(values.keys() - target.fields - _WITHOUT_LOSS):
            self._report.warn(f"{target.name} have no field {name}", str(entry))
        return ForeignItem(
            values=values,
            external_id=entry.key,
            slug=entry.slug,
            former_paths=tuple(_former_paths(entry)),
            publish=entry.public and (not entry.scheduled or target.schedules),
            author_id=self._authors.get(entry.author) if target.has_authors else None,
        )

    def _count(self, target: Target, entry: Entry, item: ForeignItem) -> None:
        counts = self._report.outcomes[target.name]
        if item.error:
            counts["errors"] += 1
            self._report.warn(f"not imported: {item.error}", str(entry))
        else:
            counts["skipped" if item.skipped else "imported"] += 1
        for warning in item.warnings:
            name = warning.partition(":")[0]
            self._report.warn(f"{name} is changed or left out", f"{entry}: {warning}")


def _former_paths(entry: Entry) -> list[str]:
    paths = []
    for address in entry.addresses:
        try:
            paths.append(former_path(address))
        except ValueError:
            # The start page stays the start page.
            continue
    return paths
