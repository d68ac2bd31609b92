"""The sum of the steps equals the mixins' declarations, and each step only adds."""

from __future__ import annotations

import pytest
from sqlalchemy import Integer, Text

from masthead import ID, Plugin, StartError
from masthead.db import Database, migrate
from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS, KitColumn, KitIndex, KitPart, KitStep, validated
from masthead.testing.schema import schema_differences

NEXT = steps.newest() + 1


def test_the_steps_add_up_to_what_the_mixins_declare(
    database: Database, real_core: Plugin, garden: Plugin
) -> None:
    migrate.upgrade(database, [real_core, garden])

    assert schema_differences(database, [real_core, garden]) == []


@pytest.mark.parametrize(
    "column",
    [
        KitColumn("added", Text(), nullable=False),
        KitColumn("added", Text(), unique=True),
        KitColumn("added", Integer(), nullable=False, server_default="1", primary_key=True),
        KitColumn("added", ID, nullable=False, server_default="1", references="core_user.id"),
        KitColumn("added", ID, server_default="1", references="core_user.id"),
    ],
)
@pytest.mark.parametrize("table", [(steps.CONTENT, ITEMS), (steps.CONTENT, "_tag")])
def test_a_column_that_existing_rows_cannot_have_is_refused(
    column: KitColumn, table: tuple[str, str]
) -> None:
    kit, end = table

    with pytest.raises(
        StartError, match=f"kit {NEXT}: {kit}{end} can't get the columns added: a new"
    ):
        validated(*steps.STEPS, KitStep(NEXT, {kit: {end: KitPart((column,))}}))


def test_a_new_table_may_have_all_columns() -> None:
    key = KitColumn("item_id", ID, nullable=False, references="{items}.id", primary_key=True)

    added = KitStep(NEXT, {steps.CONTENT: {"_reader": KitPart((key,))}})

    assert validated(*steps.STEPS, added)[-1] is added


@pytest.mark.parametrize(
    "further",
    [
        {steps.CONTENT: {ITEMS: KitPart((KitColumn("added", Text()),))}},
        {steps.RESOURCE: {"_log": KitPart((KitColumn("item_id", ID, primary_key=True),))}},
    ],
)
def test_a_step_with_indexes_of_existing_tables_has_no_columns(
    further: dict[str, dict[str, KitPart]],
) -> None:
    index = {steps.NAMED: {ITEMS: KitPart(indexes=(KitIndex("added", ("created_at",)),))}}

    with pytest.raises(StartError, match=f"kit {NEXT}: the indexes of existing tables need their"):
        validated(*steps.STEPS, KitStep(NEXT, {**index, **further}))


def test_a_step_out_of_order_is_refused() -> None:
    with pytest.raises(StartError, match=f"kit {NEXT + 1} is declared as step {NEXT}"):
        validated(*steps.STEPS, KitStep(NEXT + 1, {}))
