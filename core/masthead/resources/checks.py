"""The checks of a resource's options: a mistake stops the start with one clear line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sqlalchemy import JSON, String

from masthead.errors import StartError
from masthead.references.fields import check_references, references_of

if TYPE_CHECKING:
    from masthead.resources.declaration import Resource
    from masthead.resources.options import PublicRoutes


def check_options(resource: Resource) -> None:
    """Refuse options that could not work, or would fail at a request only.

    :raises StartError: for the first mistake.
    """
    for mistake, names in _mistakes(resource):
        if found := sorted(set(names)):
            raise StartError(f"{resource.name}: {mistake} {', '.join(found)}")
    shown = {*resource.columns, *resource.shows, *resource.looked_up, *resource.details}
    if taken := sorted(shown & resource.computed_fields.keys()):
        raise StartError(f"{resource.name}: computed has names of other values: {', '.join(taken)}")
    check_references(resource.name, resource.fields, shown | resource.computed_fields.keys())
    for is_wrong, mistake in _contradictions(resource):
        if is_wrong:
            raise StartError(f"{resource.name}: {mistake}")
    if resource.public is not None:
        _check_public(resource, resource.public)


def _mistakes(resource: Resource) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each kind of mistake, and the names of fields for which it was made."""
    ordered = {name.removeprefix("-") for name in (*resource.order, *resource.sorts)}
    fields = {f.name for f in resource.fields}
    named = {*resource.filters, *resource.search_fields, *(resource.editable or ())}
    named |= {*resource.personal}
    named |= {resource.person} if resource.person else set()
    named |= {resource.copies.title, *resource.copies.without} if resource.copies else set()
    shown = resource.shows.keys() - resource.computed.keys()
    missing = {name for name in shown if not hasattr(resource.model, resource.attribute(name))}
    missing |= set(resource.public.shows if resource.public else ()) - resource.shows.keys()
    yield "there is no field", (named - fields) | (ordered - resource.columns.keys()) | missing
    compared = [*resource.filters, *ordered]
    structured = (name for name in compared if isinstance(resource.columns[name].type, JSON))
    yield "order and filters can't name fields of JSON:", structured
    referring = {it.name for it in references_of(resource.fields)}
    own = {*resource.filters, *resource.custom_filters}
    yield "lists are filtered by references anyway; filters can't name", own & referring
    other = {f.name for f in resource.fields if not f.is_text}
    yield "search_fields can only name fields of text, not", other & set(resource.search_fields)


def _contradictions(resource: Resource) -> Iterator[tuple[bool, str]]:
    """Yield each possible contradiction between options: whether it exists, and its message."""
    is_searched = bool(resource.search_fields)
    yield is_searched and resource.named, "search_fields needs a model whose ids are numbers"
    key, path = resource.person_key, resource.site_path
    yield bool(key) and not hasattr(resource.model, key), f"the model has no {key}"
    has_no_slug = "{slug}" not in path or "slug" not in resource.columns
    yield bool(path) and has_no_slug, "site_path needs {slug}, and a column slug"
    has_links = any(it.through for it in resource.custom_filters.values())
    yield bool(resource.sorts) and has_links, "links have no columns for the fields of sorts"
    yield (
        resource.trash and not _can_be_restored(resource),
        (
            "trash needs ids that are numbers, no person, and a field published if there are"
            " public routes"
        ),
    )
    yield (
        bool(resource.personal) and (resource.trash or resource.approval is not None),
        "personal fields have neither a trash nor an approval",
    )
    yield (
        resource.public_when is not None and not _can_be_told(resource),
        "public_when needs ids that are numbers, no public routes, and columns that are never null",
    )


def _can_be_restored(resource: Resource) -> bool:
    """Whether restoring an item shows nothing to the public, and no person's data are kept."""
    is_hidden = resource.public is None or "published" in {f.name for f in resource.fields}
    return is_hidden and not resource.named and not resource.person


def _can_be_told(resource: Resource) -> bool:
    """Whether the change log can tell of items that other endpoints show to the public."""
    names = (resource.public_when or {}).keys()
    suitable = {each.key for each in resource.model.__table__.c if not each.nullable}
    return suitable >= names and resource.public is None and not resource.named


def _check_public(resource: Resource, public: PublicRoutes) -> None:
    if set(public.operations) - {"list", "show"}:
        raise StartError(f"{resource.name}: the public can only list and show")
    if resource.model.__table__.info.get("private"):
        raise StartError(f"{resource.name}: a resource with a private table has no public routes")
    computed = set(public.shows) - resource.columns.keys()
    if computed:
        raise StartError(
            f"{resource.name}: public routes can only show columns, not"
            f" {', '.join(sorted(computed))}"
        )
    column = resource.columns.get(public.by)
    unique = column is not None and column.unique and isinstance(column.type, String)
    if public.by != "id" and not unique:
        raise StartError(f"{resource.name}: public routes can only go by a unique text or the id")
