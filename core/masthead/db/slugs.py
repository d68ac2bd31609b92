"""Slugs: made from a title in any script, unique per table, also when two are made at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import Any

from slugify import slugify
from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead.db.locking import lock
from masthead.db.unique import violates

LONGEST = 80
_STEM = 70
_TRIES = 20
_AT_ONCE = 100
"""How many slugs are asked for in one statement; SQLite takes a thousand conditions in one."""


def slug_base(title: str) -> str:
    """The slug that a title asks for: ``[a-z0-9-]``, transliterated, at most 80 characters."""
    slug: str = slugify(title, max_length=LONGEST, word_boundary=True, save_order=True)
    return slug or "untitled"


def flush_with_slugs(
    session: Session,
    model: Any,
    titled: Sequence[tuple[Any, str]],
    *,
    reserved: Collection[str] = (),
) -> None:
    """Write objects of ``model`` with a slug of their own each, made from the text beside them.

    The unique index decides; those who lose against a concurrent transaction try the next number,
    one after the other.

    :param model: has a column ``slug`` of the type ``KEY``, unique.
    :param titled: pairs of an object and the text that its slug is made from.
    :param reserved: slugs that nobody gets.
    """
    if not titled:
        return
    for attempt in range(_TRIES):
        slugs = _free_slugs(session, model, titled, reserved)
        try:
            with session.begin_nested():
                for (item, _), slug in zip(titled, slugs, strict=True):
                    item.slug = slug
                session.add_all(item for item, _ in titled)
            return
        except IntegrityError as error:
            if attempt == _TRIES - 1 or not violates(error, model.slug):
                raise
            lock(session, f"slugs {model.__tablename__}")


def _free_slugs(
    session: Session, model: Any, titled: Sequence[tuple[Any, str]], reserved: Collection[str]
) -> list[str]:
    bases = [slug_base(title) for _, title in titled]
    own = [item.id for item, _ in titled if item.id is not None]
    taken = _taken(session, model, bases, own).union(reserved)
    slugs = []
    for base in bases:
        slug = next(candidate for candidate in _candidates(base) if candidate not in taken)
        taken.add(slug)
        slugs.append(slug)
    return slugs


def _candidates(base: str) -> Iterable[str]:
    yield base
    for number in count(2):
        suffix = f"-{number}"
        yield base[: LONGEST - len(suffix)].rstrip("-") + suffix


def _taken(session: Session, model: Any, bases: Iterable[str], own: Sequence[int]) -> set[str]:
    asked, taken = sorted(set(bases)), set[str]()
    rows = select(model.slug).where(model.id.not_in(own)) if own else select(model.slug)
    with session.no_autoflush:
        for start in range(0, len(asked), _AT_ONCE):
            alike = (_relatives(model.slug, base) for base in asked[start : start + _AT_ONCE])
            taken.update(session.scalars(rows.where(or_(*alike))))
    return taken


def _relatives(slug: Any, base: str) -> ColumnElement[bool]:
    """What a base may have become, as ranges of the unique index."""
    if len(base) <= _STEM:
        # ":" follows "9": all that begins as a number does.
        return or_(slug == base, and_(slug >= f"{base}-0", slug < f"{base}-:"))
    # A long slug is cut to make room for its number, so its relatives share the stem only; "{"
    # follows "z".
    stem = base[:_STEM].rstrip("-")
    return and_(slug >= stem, slug < stem + "{")
