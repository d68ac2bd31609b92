"""An import by a user that reads the rows of another tool and changes existing items."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Table, func, select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    Bool,
    CsvColumn,
    CsvImport,
    CsvRow,
    Instance,
    Invalid,
    ItemSave,
    Plugin,
    Resource,
    ResourceItem,
    StagedUpdate,
    Str,
    field,
    hookimpl,
    plugin_metadata,
)
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.testing import Client


class Base(DeclarativeBase):
    metadata = plugin_metadata("orchard")


class Tree(ResourceItem, Base):
    __tablename__ = "orchard_tree"

    name: Mapped[str] = field(Str(), required=True, unique=True)
    felled: Mapped[bool] = field(Bool(), default=False)


def check(_session: Session, save: ItemSave) -> None:
    caller = save.caller
    is_ada = caller is not None and caller.username == "ada" and caller.may("orchard.write")
    if "Royal" in save.after["name"] and not is_ada:
        raise Invalid("name: Only for Ada")


TREES = Resource(name="trees", label="Tree", model=Tree, area="orchard", before_change=check)


def read_row(row: CsvRow, moment: datetime) -> CsvRow:
    """Return the fields of a row, whose last cell says ``stands`` or ``fell``."""
    state = row.cells[-1]
    if state == "?":
        return row._replace(error=f"state: Not known in {moment.year}")
    return row._replace(values={"name": row.values["name"], "felled": str(state == "fell").lower()})


def count_fallen(session: Session, staged: Table) -> int:
    fallen = select(staged.c.name).where(staged.c.felled)
    return session.scalar(select(func.count()).where(Tree.name.in_(fallen), ~Tree.felled)) or 0


def fell(session: Session, staged: Table, moment: datetime) -> int:
    fallen = select(staged.c.name).where(staged.c.felled)
    changed = update(Tree).where(Tree.name.in_(fallen), ~Tree.felled)
    done = session.execute(changed.values(felled=True, updated_at=moment))
    return int(getattr(done, "rowcount", 0))


TREES_CSV = CsvImport(
    TREES,
    columns=(CsvColumn("name"), CsvColumn("state")),
    unique=Tree.name,
    read_row=read_row,
    update=StagedUpdate(count_fallen, fell),
)


class Hooks:
    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [TREES]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="orchard", hooks=(Hooks(),), base=Base)]


def test_an_import_translates_rows_and_changes_existing_items(
    instance: Instance, app: Client, session: Session
) -> None:
    TREES_CSV.run(instance, io.BytesIO(b"name,state\nAsh,stands\nElm,stands\n"))
    content = b"name,state\nAsh,fell\nElm,stands\nFir,fell\nOak,?\n"

    for dry_run in (True, False):
        report = TREES_CSV.run(instance, io.BytesIO(content), dry_run=dry_run)
        assert str(report) == "imported 1, updated 1, skipped 1, errors 1"
        [(row, error)] = report.errors
        assert (row, error[:22]) == (5, "state: Not known in 20")

    trees = app.as_role("editor").get("/api/staff/trees").json
    assert {each["name"]: each["felled"] for each in trees} == {
        "Ash": True,
        "Elm": False,
        "Fir": True,
    }
    entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "trees.import")).all()
    assert [each.detail for each in entries] == [
        {"imported": 2, "updated": 0},
        {"imported": 1, "updated": 1},
    ]


def test_callbacks_know_the_user_who_imports(
    instance: Instance, app: Client, make_user: Callable[..., Any]
) -> None:
    ada, bob = make_user("ada", role="editor"), make_user("bob", role="editor")
    content = b"name,state\nRoyal oak,stands\nAsh,stands\n"

    for actor_id in (None, bob.id):
        tried = TREES_CSV.run(instance, io.BytesIO(content), dry_run=True, actor_id=actor_id)
        assert str(tried) == "imported 1, skipped 0, errors 1"
        assert [tuple(each) for each in tried.errors] == [(2, "name: Only for Ada")]
    report = TREES_CSV.run(instance, io.BytesIO(content), actor_id=ada.id)
    assert str(report) == "imported 2, skipped 0, errors 0"
    trees = app.as_role("editor").get("/api/staff/trees").json
    assert {each["name"] for each in trees} == {"Royal oak", "Ash"}
