"""Slugs: derived from a title in any script, and unique per table despite concurrent writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

from slugify import GERMAN, slugify
from sqlalchemy import ColumnElement, Select, and_, bindparam, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from masthead.db.japanese import spell_japanese
from masthead.db.locking import lock
from masthead.db.new_ids import assign_ids
from masthead.db.spelling import BACKEND, spell_in_ascii
from masthead.db.unique import violates
from masthead.unicode.normalization import normalized

MAX_LENGTH = 80
_READ = 1_000
"""The number of characters of a title that are read; a slug has far fewer."""
_STEM_LENGTH = 70
_MAX_ATTEMPTS = 20
_BATCH_SIZE = 100
"""The slugs to look up in one statement; SQLite accepts at most 1,000 conditions."""


RESERVED_BY_MODEL = "masthead.reserved_slugs"
"""The key of ``session.info`` with the function that returns the reserved slugs of a model."""
_DANISH = (("æ", "ae"), ("ø", "oe"), ("å", "aa"), ("Æ", "Ae"), ("Ø", "Oe"), ("Å", "Aa"))
_SPELLINGS: Mapping[str, Mapping[int, str]] = {
    language: str.maketrans(dict(pairs))
    for languages, pairs in (("de", GERMAN), ("da nb nn no", _DANISH))
    for language in languages.split()
}
"""The spelling of letters that some languages spell in another way than most."""


@dataclass(frozen=True)
class FormerSlugs:
    """The former slugs of items, which still lead to them, so no other item gets one of them."""

    slug: Any
    """A column."""
    owner: Any
    """The column with the id of the item."""
    condition: ColumnElement[bool] | None = None
    """The condition of the rows that count."""


def slug_base(title: str, language: str | None = None) -> str:
    """Return the preferred slug of a title: ``[a-z0-9-]``, transliterated, up to 80 characters.

    :param language: the tag of its language, which may have its own spelling of letters.
    """
    language = _primary(language)
    title = normalized(title[:_READ]).translate(_SPELLINGS.get(language, {}))
    if language == "ja":
        title = spell_japanese(title)
    # The search has the same spelling. slugify() alone knows the digits of few scripts.
    spelled = spell_in_ascii(title)
    slug: str = slugify(
        spelled, max_length=MAX_LENGTH, word_boundary=True, save_order=True, backend=BACKEND
    )
    return slug or "untitled"


def is_derived(slug: str, title: str, language: str | None = None) -> bool:
    """Whether a slug is one that a title can lead to, with or without a number.

    :param language: the tag of its language; the slug may be older than that.
    """
    number = slug.rpartition("-")[2]
    return any(
        slug == base or (number.isdecimal() and slug == _numbered(base, int(number)))
        for base in {slug_base(title, language), slug_base(title)}
    )


def flush_with_slugs(
    session: Session,
    model: Any,
    titled: Sequence[tuple[Any, str]],
    *,
    reserved: Collection[str] = (),
    former: FormerSlugs | None = None,
    language: str | None = None,
) -> None:
    """Flush objects of ``model``, each with a unique slug derived from its text.

    The unique index decides. If a concurrent transaction takes a slug first, this one takes a lock
    and tries the next number.

    :param model: a model with a unique column ``slug`` of the type ``KEY``.
    :param titled: pairs of an object and the text from which its slug is derived.
    :param reserved: slugs that no object may have, besides those of other endpoints' addresses.
    :param former: the former slugs of all objects.
    :param language: the tag of the language of the texts of objects without a ``lang``.
    """
    if not titled:
        return
    bases = [slug_base(title, getattr(item, "lang", None) or language) for item, title in titled]
    own = [item.id for item, _ in titled if item.id is not None]
    new = [item for item, _ in titled if item.id is None and item not in session]
    for attempt in range(_MAX_ATTEMPTS):
        slugs = _free(session, model, bases, own, reserved, former)
        try:
            with session.begin_nested():
                for (item, _), slug in zip(titled, slugs, strict=True):
                    item.slug = slug
                assign_ids(session, model, new)
                session.add_all(item for item, _ in titled)
            return
        except IntegrityError as error:
            if attempt == _MAX_ATTEMPTS - 1 or not violates(error, model.slug):
                raise
            lock(session, f"slugs {model.__tablename__}")


def free_slugs(
    session: Session,
    model: Any,
    titles: Sequence[str],
    *,
    reserved: Collection[str] = (),
    former: FormerSlugs | None = None,
    language: str | None = None,
) -> list[str]:
    """Return a free slug for each title; none is returned twice.

    The parameters are those of ``flush_with_slugs``.
    """
    bases = [slug_base(title, language) for title in titles]
    return _free(session, model, bases, (), reserved, former)


def reserved_slugs(session: Session, model: Any) -> Collection[str]:
    """Return the slugs that no object of a model may have, because an endpoint has the address."""
    find: Callable[[Any], Collection[str]] = session.info.get(RESERVED_BY_MODEL, lambda _model: ())
    return find(model)


def _free(
    session: Session,
    model: Any,
    bases: Sequence[str],
    own: Sequence[int],
    reserved: Collection[str],
    former: FormerSlugs | None,
) -> list[str]:
    """Return a free slug for each base.

    :param own: the ids of items whose present and former slugs count as free.
    """
    taken = _taken(session, model.slug, bases, _of_others(model.id, own))
    taken |= {*reserved, *reserved_slugs(session, model)}
    if former is not None:
        # Last, because a slug that another transaction leaves becomes a former one at once.
        others = _of_others(former.owner, own)
        taken |= _taken(session, former.slug, bases, others, former.condition)
    slugs = []
    for base in bases:
        slug = next(candidate for candidate in _candidates(base) if candidate not in taken)
        taken.add(slug)
        slugs.append(slug)
    return slugs


def _candidates(base: str) -> Iterable[str]:
    yield base
    for number in count(2):
        yield _numbered(base, number)


def _numbered(base: str, number: int) -> str:
    suffix = f"-{number}"
    return base[: MAX_LENGTH - len(suffix)].rstrip("-") + suffix


def _primary(language: str | None) -> str:
    return (language or "").partition("-")[0].lower()


def _of_others(owner: Any, own: Sequence[int]) -> list[ColumnElement[bool]]:
    return [owner.not_in(own)] if own else []


def _taken(
    session: Session,
    slug: Any,
    bases: Iterable[str],
    others: Sequence[ColumnElement[bool]],
    condition: ColumnElement[bool] | None = None,
) -> set[str]:
    asked, taken = sorted(set(bases)), set[str]()
    with session.no_autoflush:
        for start in range(0, len(asked), _BATCH_SIZE):
            batch = asked[start : start + _BATCH_SIZE]
            size = 1 if len(batch) == 1 else _BATCH_SIZE
            rows = _select_taken(slug, size, condition)
            if others:
                rows = rows.where(*others)
            batch += batch[-1:] * (size - len(batch))
            taken.update(session.scalars(rows, _ranges(batch)))
    return taken


@cache
def _select_taken(slug: Any, size: int, condition: ColumnElement[bool] | None) -> Select[Any]:
    """Return the statement for the slugs that are equal to a base or in its range.

    It is the same object for all bases, because SQLAlchemy takes milliseconds to compile it, and
    as long to recognise a copy.
    """
    variants = (
        or_(
            slug == bindparam(f"base{n}"),
            and_(slug >= bindparam(f"from{n}"), slug < bindparam(f"to{n}")),
        )
        for n in range(size)
    )
    found = select(slug).where(or_(*variants))
    return found if condition is None else found.where(condition)


def _ranges(bases: Sequence[str]) -> dict[str, str]:
    """Return the bases with the ranges of the unique index that have their numbered variants."""
    found: dict[str, str] = {}
    for n, base in enumerate(bases):
        if len(base) <= _STEM_LENGTH:
            # ":" follows "9", so the range covers every suffix that starts with a digit.
            first, end = f"{base}-0", f"{base}-:"
        else:
            # A long slug is shortened to make room for its number, so the variants share only the
            # stem. "{" follows "z".
            first = base[:_STEM_LENGTH].rstrip("-")
            end = first + "{"
        found |= {f"base{n}": base, f"from{n}": first, f"to{n}": end}
    return found
