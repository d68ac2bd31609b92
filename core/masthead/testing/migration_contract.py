"""The tests that the migrations of every content type have to pass."""

from __future__ import annotations

from masthead.content.contenttype import ContentType
from masthead.db import Database
from masthead.db.rolling.checking import migration_problems
from masthead.instance import Instance
from masthead.testing.schema import schema_differences


class MigrationContract:
    """The tests of the migrations of a content type's plugin."""

    content_type: ContentType

    def test_the_migrations_make_what_the_model_declares(self, instance: Instance) -> None:
        differences = schema_differences(instance.database, instance.plugins)

        ours = f": {self.content_type.table.name}"
        assert [line for line in differences if ours in line] == []

    def test_the_migrations_let_the_previous_release_go_on(
        self, instance: Instance, empty_database: Database
    ) -> None:
        owner = self.content_type.table.name.partition("_")[0]

        assert migration_problems(empty_database, instance.plugins, [owner]) == []
