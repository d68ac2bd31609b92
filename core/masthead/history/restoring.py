"""Restoring the values of a revision, which is an edit like any other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import colander
from sqlalchemy.orm import Session

from masthead.errors import Invalid, ProblemCode, wrong_field
from masthead.history.models import Revision
from masthead.history.reading import INVALID, Unfit, newest_number, read_values
from masthead.history.snapshots import Kept
from masthead.instance import instance_of
from masthead.schemas.schema import bound
from masthead.schemas.schema import load as load_body
from masthead.schemas.slugs import SLUG_FIELD


@dataclass(frozen=True)
class Restored:
    """The result of restoring a revision."""

    restored: list[str]
    """The fields that have the values of the revision now."""
    unfit: list[Unfit]
    number: int | None
    """The number of the newest revision."""


def restore(
    session: Session,
    kept: Kept,
    revision: Revision,
    body: colander.SchemaNode,
    save: Callable[[Mapping[str, Any]], None],
    names: Collection[str] | None = None,
) -> Restored:
    """Save the values of a revision; those that don't fit or are refused stay as they are.

    :param body: the body of an update of the item.
    :param save: saves checked values.
    :param names: the fields to restore; None for the usual ones.
    :raises Invalid: for an unknown field, and for values that contradict others.
    """
    found = read_values(session, kept, revision)
    wanted = kept.restored_fields if names is None else _known(kept, found.unfit, names)
    # A slug that staff did not choose follows the title.
    chosen = {
        name: value
        for name, value in found.fitting.items()
        if name in wanted and not (name == SLUG_FIELD and value is None)
    }
    unfit = [each for each in found.unfit if names is None or each.field in names]
    checked = bound(body, instance_of(session).settings)
    refused = _save(session, checked, chosen, save)
    return Restored(
        [name for name in chosen if name not in refused],
        [*unfit, *refused.values()],
        newest_number(session, kept, revision.item),
    )


def _known(kept: Kept, unfit: Collection[Unfit], names: Collection[str]) -> set[str]:
    """Return the names of fields.

    :raises Invalid: for another name.
    """
    own = {f.name for f in kept.fields}.difference(kept.personal)
    known = own | kept.linked | {each.field for each in unfit}
    for index, name in enumerate(names):
        if name not in known:
            raise wrong_field(f"fields.{index}", ProblemCode.UNKNOWN_NAME, "There is no such field")
    return set(names)


def _save(
    session: Session,
    body: colander.SchemaNode,
    values: Mapping[str, Any],
    save: Callable[[Mapping[str, Any]], None],
) -> dict[str, Unfit]:
    """Save values, and return the fields that were refused; each attempt has fewer of them."""
    refused: dict[str, Unfit] = {}
    while left := {name: value for name, value in values.items() if name not in refused}:
        try:
            with session.begin_nested():
                save(load_body(body, left))
        except Invalid as error:
            wrong = {problem.path.partition(".")[0]: problem for problem in error.problems}
            new = {name: wrong[name] for name in left if name in wrong}
            if not new:
                raise
            refused |= {name: Unfit(name, INVALID, it.message) for name, it in new.items()}
        else:
            break
    return refused
