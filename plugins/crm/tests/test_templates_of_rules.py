"""The templates of rules: their uses, and notices about missing ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session

from masthead import Instance, ItemUse, Plugin
from masthead.testing import Client
from masthead_crm.plugin import plugin as crm

DASHBOARD = "/api/staff/follow-up-dashboard"
Make = Callable[..., Any]
# Requested before the fixtures that log in, so that they use the stopped clock.
pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def plugins(mailer: Any) -> list[Plugin]:
    return [crm, Plugin(name="mailer", hooks=(mailer,))]


@pytest.fixture
def reach(make_contact: Make, make_stage: Make, make_rule: Make, move: Make) -> Callable[[], None]:
    """Return a function by which a contact reaches the stage of a rule with a template."""
    met, other, contact = make_stage("Met"), make_stage("Other"), make_contact(email="a@x.test")
    make_rule(met, emailTemplateId=3, daysAfter=0)

    def reach_again() -> None:
        for stage in (other, met):
            move(contact, stage)

    return reach_again


def test_hook_uses_names_the_rules_of_a_template(
    instance: Instance, session: Session, make_stage: Make, make_rule: Make
) -> None:
    met = make_stage("Met")
    rule = make_rule(met, emailTemplateId=3)
    make_rule(met, emailTemplateId=4)
    make_rule(met)

    def uses(kind: str, *ids: int) -> list[ItemUse]:
        answers = instance.hooks.masthead_uses(session=session, kind=kind, ids=ids)
        return [use for answer in answers for use in answer]

    found = ItemUse(3, "follow-up-rules", rule["id"], "Call", "contacts.read")
    assert uses("email-templates", 3, 9) == [found]
    assert uses("email-templates", 9) == []
    assert uses("people", 3) == []


@pytest.mark.parametrize(("gap", "notices"), [(1, 1), (25, 2)])
def test_staff_learn_of_a_rule_whose_template_is_missing(
    staff: Client, clock: Any, mailer: Any, reach: Make, work: Make, gap: int, notices: int
) -> None:
    reach()
    clock.shift(seconds=1)
    mailer.templates.discard(3)
    work()
    clock.shift(hours=gap)
    [item] = staff.get(DASHBOARD).json["overdue"]
    staff.post_json(f"/api/staff/follow-ups/{item['id']}/complete", {})
    reach()
    clock.shift(seconds=1)
    work()

    told = staff.get("/api/staff/notifications").json
    assert [each["title"] for each in told] == ["Follow-ups not mailed"] * notices
    assert told[0]["message"].endswith("the templates of these rules are missing: Call")
