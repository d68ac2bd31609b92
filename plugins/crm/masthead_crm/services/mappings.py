"""Saved mappings: the fields that the columns of a tool's files become in an import."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import ItemSave, ProblemCode, fold, unique, wrong_field
from masthead_crm.models import MAX_MAPPED, ImportMapping

TAKEN = "A mapping with this name already exists"
_FORM = 'Must be an object such as {"Kunde": "name", "Code": null}'

ColumnMap = dict[str, str | None]
"""The names of columns in a file, each with its field, or None for a column to leave out."""


def check_mapping(_session: Session, save: ItemSave) -> None:
    """Check that a mapping has columns, each once.

    :raises Invalid: otherwise.
    """
    names = [_key(each["column"]) for each in save.after["columns"]]
    if not names:
        raise wrong_field("columns", ProblemCode.REQUIRED, "Required")
    if len(set(names)) < len(names):
        raise wrong_field("columns", ProblemCode.REPEATED, "A column is there twice")


def flush_mappings(session: Session, mappings: Sequence[ImportMapping]) -> None:
    """Save new or changed mappings.

    :raises Invalid: where another mapping has the name.
    """
    for mapping in mappings:
        mapping.name_key = fold(mapping.name)
    with unique(
        session,
        wrong_field("name", ProblemCode.ALREADY_EXISTS, TAKEN, named=False),
        ImportMapping.name_key,
    ):
        session.add_all(mappings)


def named_mapping(session: Session, name: str) -> ColumnMap:
    """Return the saved mapping with a name, in any case.

    :raises Invalid: if there is none.
    """
    key = fold(name.strip())
    found = session.scalar(select(ImportMapping).where(ImportMapping.name_key == key))
    if found is None:
        raise wrong_field("mapping", ProblemCode.UNKNOWN_NAME, "There is none with this name")
    return {each["column"]: each["field"] for each in found.columns}


def fitting_mapping(session: Session, header: Sequence[str]) -> str | None:
    """Return the name of the saved mapping for files with a header, or None.

    The header has all columns of the mapping. If several mappings fit, the one with the most
    columns is returned.
    """
    there = set(map(_key, header))
    fitting = [
        each
        for each in session.scalars(select(ImportMapping).order_by(ImportMapping.id))
        if there.issuperset(_key(column["column"]) for column in each.columns)
    ]
    best = max(fitting, key=lambda each: len(each.columns), default=None)
    return best.name if best else None


def parse_map(text: str) -> ColumnMap:
    """Return the mapping that a JSON object describes.

    :raises Invalid: for any other text.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise wrong_field("map", ProblemCode.WRONG_FORM, _FORM) from None
    if not isinstance(found, dict) or len(found) > MAX_MAPPED:
        raise wrong_field("map", ProblemCode.WRONG_FORM, _FORM)
    if not all(field is None or isinstance(field, str) for field in found.values()):
        raise wrong_field("map", ProblemCode.WRONG_FORM, _FORM)
    return found


def _key(column: str) -> str:
    return fold(column).strip()
