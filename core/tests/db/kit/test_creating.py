"""The function with which a revision creates a kit table."""

from __future__ import annotations

from typing import Any

import pytest

from masthead import Plugin, StartError
from masthead.db import Database, migrate
from masthead.db.kit import steps
from masthead.testing.schema import schema_differences

NEWEST = steps.newest()


@pytest.mark.parametrize(
    "call",
    [
        'from masthead import create_kit_table\ncreate_kit_table("garden_x", "named", kit={})',
        'import masthead\nmasthead.create_kit_table("garden_x", "named", kit={})',
    ],
)
def test_a_plugin_built_for_a_newer_kit_stops_before_anything_is_migrated(
    sqlite: Database, workshop: Any, real_core: Plugin, garden: Plugin, call: str
) -> None:
    plugin = workshop.plugin("garden", garden.base, call.format(NEWEST + 2))
    line = (
        f"garden was built for kit {NEWEST + 2}, masthead-core has kit {NEWEST};"
        " upgrade masthead-core"
    )

    with pytest.raises(StartError, match=f"^{line}$"):
        migrate.upgrade(sqlite, [real_core, plugin])
    with pytest.raises(StartError, match=line):
        migrate.check_current(sqlite, [real_core, plugin])

    assert migrate.current(sqlite, [real_core, plugin]) == {"core": None, "garden": None}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('"garden_x", "content", kit=1', "garden_x needs the type of its position"),
        ('"garden_x", "contents", kit=1', "kit 1 has no mixin contents"),
        ('"garden_x", "named", kit=0', "garden_x is created with kit 0, masthead-core has kit"),
    ],
)
def test_a_call_with_invalid_arguments_is_refused(
    sqlite: Database, workshop: Any, real_core: Plugin, garden: Plugin, call: str, message: str
) -> None:
    call = f"from masthead import create_kit_table\ncreate_kit_table({call})"
    plugin = workshop.plugin("garden", garden.base, call)

    with pytest.raises(StartError, match=message):
        migrate.upgrade(sqlite, [real_core, plugin])


def test_a_kit_that_is_not_an_integer_literal_is_refused(
    sqlite: Database, workshop: Any, real_core: Plugin, garden: Plugin
) -> None:
    call = (
        'from masthead import create_kit_table\ncreate_kit_table("garden_x", "named", kit=int(1))'
    )
    plugin = workshop.plugin("garden", garden.base, call)

    with pytest.raises(StartError, match=r"0001_step\.py must state its kit as an integer literal"):
        migrate.upgrade(sqlite, [real_core, plugin])


@pytest.mark.usefixtures("next_core")
def test_a_table_is_created_with_everything_in_its_kit(
    database: Database, workshop: Any, real_core: Plugin, next_garden: Plugin
) -> None:
    [revision] = list(workshop.folder.glob("*_garden/migrations/versions/0001*"))
    revision.write_text(revision.read_text().replace("kit=1", f"kit={NEWEST + 1}"))

    migrate.upgrade(database, [real_core, next_garden])

    assert schema_differences(database, [real_core, next_garden]) == []
