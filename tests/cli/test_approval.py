"""``masthead approval``: the public sees what was approved, and items are moved without a user."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import update

from masthead import Instance
from masthead.cli import main
from masthead.instance import DATA, DATABASE_URL
from masthead.testing import Client, Desk

Run = Callable[..., Result]


@pytest.fixture
def run(instance: Instance) -> Run:
    """Return a function that runs the command with the instance's database."""
    url = instance.database.engine.url.render_as_string(hide_password=False)
    environ = {DATA.variable: str(instance.data), DATABASE_URL.variable: url}
    return lambda *options: CliRunner().invoke(main, ["approval", *options], env=environ)


def test_a_value_that_nobody_has_approved_is_found(
    app: Client, instance: Instance, run: Run
) -> None:
    Desk(app, "news").as_role("editor").create_public(title="Approved")
    honest = run("verify")
    assert honest.exit_code == 0, honest.output
    assert honest.stdout.startswith("1 published items, 0 with other values")

    article = instance.content_types["news"].model
    with instance.database.transaction() as session:
        session.execute(update(article).values(title="Forged"))

    found = run("verify", "--type", "news", "--json")
    assert found.exit_code == 1
    [deviation] = json.loads(found.stdout)["deviations"]
    assert (deviation["title"], deviation["fields"]) == ("Forged", ["title"])
    assert "Forged" in run("verify").stdout
    assert run("verify", "--type", "boats").exit_code == 2


def test_a_newsletter_with_other_values_than_approved_is_found(
    app: Client, instance: Instance, run: Run
) -> None:
    letters = Desk(app, "newsletters").as_role("editor")
    body = {"title": "May", "subject": "May", "html_content": "<p>Approved</p>"}
    letter = letters.publish(letters.create(**body)["id"])["id"]
    honest = run("verify", "--type", "newsletters")
    assert honest.stdout.startswith("1 published items, 0 with other values than approved, 0 with")

    model = instance.content_types["newsletters"].model
    with instance.database.transaction() as session:
        session.execute(update(model).values(html_content="<p>Forged</p>"))

    found = run("verify", "--type", "newsletters", "--json")
    assert found.exit_code == 1
    [deviation] = json.loads(found.stdout)["deviations"]
    assert (deviation["id"], deviation["fields"]) == (letter, ["html_content"])


def test_the_deep_status_compares_public_and_approved_values(
    app: Client, instance: Instance
) -> None:
    Desk(app, "news").as_role("editor").create_public(title="Approved")
    article = instance.content_types["news"].model
    with instance.database.transaction() as session:
        session.execute(update(article).values(title="Forged"))
    admin = app.as_role("admin")

    deep = admin.get("/status", {"deep": "true"}).json

    assert deep["status"] == "trouble"
    assert "news" in deep["checks"]["approval.content"]
    assert "approval verify" in deep["remedies"]["approval.content"]
    assert "approval.content" not in admin.get("/status").json["checks"]


def test_items_are_moved_without_a_user(app: Client, run: Run) -> None:
    news = Desk(app, "news").as_role("editor")
    item = news.create(title="By command")
    number = str(item["id"])

    for transition in ("request", "withdraw", "request", "approve"):
        moved = run("move", transition, "news", number, "--comment", transition)
        assert moved.stdout == f"{transition}: news {number}, By command\n", moved.output

    shown = news.show(item["id"])
    assert (shown["approvalStatus"], shown["approvedBy"]) == ("approved", None)
    assert shown["approvalComment"] == "approve"
    again = run("move", "approve", "news", number)
    assert (again.exit_code, "Not pending approval" in again.output) == (1, True)
    assert run("move", "approve", "boats", number).exit_code == 2
    assert run("move", "approve", "news", "999").exit_code == 1
