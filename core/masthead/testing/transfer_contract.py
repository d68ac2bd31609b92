"""The test of the export of a content type's or a resource's tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from masthead.db import migrate
from masthead.db.exportable import IMPORT_DEFAULT
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.testing.client import Client
from masthead.transfer.instance_export import export_instance
from masthead.transfer.instance_import import import_instance


class TransferContract:
    """The test of the export of some tables and of their import into another instance."""

    @abstractmethod
    def kept_tables(self) -> Sequence[Table]:
        """Return the tables whose rows an export has to contain."""

    @abstractmethod
    def fill_tables(self, app: Client) -> None:
        """Create rows in these tables."""

    def test_an_export_brings_all_rows_into_another_instance(
        self, app: Client, instance: Instance, another_instance: Instance, tmp_path: Path
    ) -> None:
        self.fill_tables(app)
        rows = self._rows(instance)
        assert all(rows.values())
        if not _is_migrated(instance):
            return  # An export needs the migrations, which are not written yet.

        assert export_instance(instance, tmp_path / "out", lambda *_: None) == []
        assert import_instance(another_instance, tmp_path / "out", lambda *_: None)

        assert self._rows(another_instance) == rows

    def _rows(self, instance: Instance) -> dict[str, Sequence[Any]]:
        """Return the rows of each table, without columns that an export leaves out."""
        with instance.database.read() as connection:
            return {
                table.name: connection.execute(
                    select(*(c for c in table.c if IMPORT_DEFAULT not in c.info)).order_by(
                        *table.primary_key
                    )
                ).all()
                for table in self.kept_tables()
            }


def _is_migrated(instance: Instance) -> bool:
    try:
        migrate.check_current(instance.database, instance.plugins)
    except StartError:
        return False
    return True
