"""The content types and resources that an import creates items of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from masthead import Instance, NotFound, content_types_of, item_path
from masthead_importers.entries import EVENT, PAGE, POST

_SLUG = "{slug}"
_USUAL = {POST: "news", PAGE: "pages", EVENT: "events"}
_SCHEDULE = "scheduledPublishAt"


@dataclass(frozen=True)
class Target:
    """A content type or resource."""

    name: str
    fields: frozenset[str]
    """The names of its fields."""
    path: str
    """The path of an item on the website, with the placeholder ``{slug}``; blank for none."""
    has_authors: bool
    """Whether its items have a creator."""

    @property
    def schedules(self) -> bool:
        """Whether an item can be published at a later time."""
        return _SCHEDULE in self.fields

    @property
    def has_address(self) -> bool:
        """Whether its items have an address on the website."""
        return bool(self.path)

    def address(self, slug: str) -> str:
        """Return the path of an item on the website."""
        return self.path.replace(_SLUG, slug)


def find_targets(instance: Instance, chosen: Mapping[str, str]) -> dict[str, Target]:
    """Return the target of each kind of entry; posts are the target of pages if there are none.

    :param chosen: the names of content types or resources by kind, instead of the usual ones.
    :raises NotFound: for a chosen target that isn't enabled.
    """
    known = _known_targets(instance)
    for name in chosen.values():
        if name not in known:
            raise NotFound(f"There is no content type {name}; there are: {', '.join(known)}")
    targets = {}
    for kind, usual in _USUAL.items():
        name = chosen.get(kind, usual)
        if name in known:
            targets[kind] = known[name]
    if POST in targets:
        targets.setdefault(PAGE, targets[POST])
    return targets


def _known_targets(instance: Instance) -> dict[str, Target]:
    known = {}
    for content_type in content_types_of(instance):
        names = frozenset(field.name for field in content_type.fields) | {"tags"}
        path = item_path(instance.settings, content_type.name)
        known[content_type.name] = Target(content_type.name, names, path, has_authors=True)
    for resource in instance.resources.values():
        if resource.site_path:
            names = frozenset(field.name for field in resource.fields)
            path = resource.site_path
            known[resource.name] = Target(resource.name, names, path, has_authors=False)
    return known
