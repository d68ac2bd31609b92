from __future__ import annotations

from collections.abc import Callable

from click.testing import Result
from sqlalchemy import text

from masthead.console.context import open_from


def test_a_worker_does_not_start_on_a_database_that_is_not_up_to_date(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    run("db", "upgrade")
    with open_from(None, environ) as instance, instance.database.transaction() as session:
        session.execute(text("DELETE FROM alembic_version_core"))

    result = run("worker")

    assert result.exit_code == 1
    assert result.stderr.endswith(
        "Error: the tables of core lack a revision; run masthead db upgrade\n"
    )


def test_a_worker_does_not_start_without_its_database(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    environ["MASTHEAD_DATABASE_URL"] = "postgresql://somebody:hush@127.0.0.1:1/nowhere"

    result = run("worker")

    assert result.exit_code == 1
    assert "the database can't be reached" in result.stderr
    assert "hush" not in result.stderr
