"""Follow-ups: created by rules, and completed by mails, interactions or staff."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from masthead import Plugin, utcnow
from masthead.testing import Client, Database
from masthead_crm.models import FollowUp
from masthead_crm.plugin import plugin as crm
from masthead_crm.services.follow_ups import send_due_mails

CONTACTS = "/api/staff/contacts"
RULES = "/api/staff/follow-up-rules"
DASHBOARD = "/api/staff/follow-up-dashboard"
Make = Callable[..., Any]
# Requested before the fixtures that log in, so that they use the stopped clock.
pytestmark = pytest.mark.usefixtures("clock")


def board(staff: Client) -> dict[str, list[str]]:
    return {
        name: [f"{item['contactName']} {item['ruleName']}" for item in items]
        for name, items in staff.get(DASHBOARD).json.items()
    }


@pytest.fixture
def met(make_stage: Make) -> Any:
    return make_stage("Met")


@pytest.fixture
def joined(make_stage: Make) -> Any:
    return make_stage("Joined")


class TestWithoutMail:
    def test_reaching_a_stage_creates_the_follow_ups_of_its_active_rules(
        self,
        staff: Client,
        clock: Any,
        make_contact: Make,
        make_rule: Make,
        move: Make,
        met: Any,
    ) -> None:
        rule = make_rule(met, daysAfter=2)
        make_rule(met, name="Later", daysAfter=30)
        make_rule(met, name="Off", active=False)
        contact = make_contact()

        entry = move(contact, met)

        assert board(staff) == {
            "pending": ["Ada Call", "Ada Later"],
            "overdue": [],
            "completed": [],
        }
        [item, _] = staff.get(DASHBOARD).json["pending"]
        assert item == {
            "id": item["id"],
            "contactId": contact["id"],
            "contactName": "Ada",
            "ruleName": rule["name"],
            "dueDate": item["dueDate"],
            "catchupType": "call",
        }
        assert (entry["createdAt"][:10], item["dueDate"][:10]) == ("2026-03-01", "2026-03-03")
        clock.shift(days=3)
        assert board(staff) == {"pending": ["Ada Later"], "overdue": ["Ada Call"], "completed": []}
        shown = staff.get(f"{CONTACTS}/{contact['id']}").json["followUps"]
        assert [(it["ruleName"], it["status"]) for it in shown] == [
            ("Call", "overdue"),
            ("Later", "pending"),
        ]

    def test_at_most_one_is_open_for_a_contact_and_a_rule(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any, joined: Any
    ) -> None:
        make_rule(met)
        contact = make_contact()
        for stage in (met, met, joined, met):
            move(contact, stage)

        assert board(staff)["pending"] == ["Ada Call"]

    def test_staying_at_a_stage_creates_nothing(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any
    ) -> None:
        make_rule(met)
        contact = make_contact()
        move(contact, met)
        move(contact, met, interactionType="call")
        assert board(staff) == {"pending": [], "overdue": [], "completed": ["Ada Call"]}

        move(contact, met, interactionType="mail")
        assert board(staff)["pending"] == []

    def test_an_interaction_of_the_rules_type_completes_it(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any, joined: Any
    ) -> None:
        make_rule(met, name="Call", catchupType="Call")
        make_rule(met, name="Meet", catchupType="meeting")
        contact, other = make_contact(), make_contact("Bob")
        move(contact, met)
        move(other, met)

        move(contact, joined, interactionType="call")

        assert board(staff) == {
            "pending": ["Ada Meet", "Bob Call", "Bob Meet"],
            "overdue": [],
            "completed": ["Ada Call"],
        }

    def test_the_interaction_that_leads_to_a_stage_completes_nothing_of_it(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any
    ) -> None:
        make_rule(met)
        move(make_contact(), met, interactionType="call")

        assert board(staff)["pending"] == ["Ada Call"]

    def test_staff_complete_one_once(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any
    ) -> None:
        make_rule(met)
        move(make_contact(), met)
        [item] = staff.get(DASHBOARD).json["pending"]
        path = f"/api/staff/follow-ups/{item['id']}/complete"

        assert staff.post(path).json == {"success": True}
        assert staff.post(path, status=400).json == {"error": "It is completed already"}
        staff.post("/api/staff/follow-ups/99/complete", status=404)
        assert board(staff) == {"pending": [], "overdue": [], "completed": ["Ada Call"]}

    def test_at_most_a_hundred_completed_ones_are_listed_newest_first(
        self,
        staff: Client,
        database: Database,
        make_contact: Make,
        make_rule: Make,
        met: Any,
    ) -> None:
        rules = [make_rule(met, daysAfter=days)["id"] for days in (0, 3_650)]
        contact, now = make_contact()["id"], utcnow()
        done = [
            {
                "contact_id": contact,
                "rule_id": rules[0],
                "reached_at": now,
                "due_at": now,
                "completed_at": now + timedelta(seconds=number % 60),
            }
            for number in range(101)
        ]
        with database.transaction() as session:
            session.execute(insert(FollowUp), done)

        shown = [item["id"] for item in staff.get(DASHBOARD).json["completed"]]
        newest = sorted(range(101), key=lambda number: (number % 60, number), reverse=True)
        assert [number - shown[0] for number in shown] == [n - newest[0] for n in newest[:100]]

    def test_leaving_the_stage_or_switching_the_rule_off_keeps_it_and_a_delete_deletes_it(
        self, staff: Client, make_contact: Make, make_rule: Make, move: Make, met: Any, joined: Any
    ) -> None:
        rule = make_rule(met)
        contact, other = make_contact(), make_contact("Bob")
        for each in (contact, other):
            move(each, met)
            move(each, joined)
        staff.put_json(f"{RULES}/{rule['id']}", {"active": False})
        assert board(staff)["pending"] == ["Ada Call", "Bob Call"]

        staff.delete(f"{CONTACTS}/{other['id']}")
        assert board(staff)["pending"] == ["Ada Call"]
        staff.delete(f"{RULES}/{rule['id']}")
        assert board(staff)["pending"] == []

    @pytest.mark.parametrize(
        "change",
        [
            {"triggerStageId": 99},
            {"triggerStageId": None},
            {"daysAfter": -1},
            {"daysAfter": 3_651},
            {"daysAfter": 1.5},
            {"catchupType": " "},
            {"name": None},
            {"active": "yes"},
            {"emailTemplateId": 1},
        ],
    )
    def test_an_invalid_rule_is_refused(
        self, staff: Client, make_rule: Make, met: Any, change: dict[str, Any]
    ) -> None:
        rule = make_rule(met)
        body = {name: rule[name] for name in ("name", "triggerStageId", "daysAfter", "catchupType")}
        [field] = change

        refused = staff.post_json(RULES, {**body, **change}, status=400)
        staff.put_json(f"{RULES}/{rule['id']}", change, status=400)

        assert refused.json["error"].startswith(f"{field}: ")
        assert staff.get(RULES).json == [rule]


class TestWithMail:
    @pytest.fixture
    def plugins(self, mailer: Any) -> list[Plugin]:
        return [crm, Plugin(name="mailer", hooks=(mailer,))]

    @pytest.fixture
    def due(
        self, clock: Any, make_contact: Make, make_rule: Make, move: Make, met: Any
    ) -> Callable[..., Any]:
        """Return a function that creates a contact with a due follow-up by mail."""

        def make(template: int | None = 3, **values: Any) -> Any:
            make_rule(met, emailTemplateId=template, daysAfter=0)
            contact = make_contact(**{"email": "ada@example.org", **values})
            move(contact, met)
            clock.shift(seconds=1)
            return contact

        return make

    def test_a_due_mail_is_sent_once_and_completes_it(
        self, staff: Client, work: Callable[[], Any], mailer: Any, due: Make
    ) -> None:
        contact = due()
        work()
        work()

        [mail] = mailer.sent
        assert (mail.to, mail.template_id, mail.kind) == ("ada@example.org", 3, "follow-up")
        assert mail.variables == {"name": "Ada", "email": "ada@example.org"}
        assert board(staff) == {"pending": [], "overdue": [], "completed": ["Ada Call"]}
        assert staff.get(f"{CONTACTS}/{contact['id']}").json["emailHistory"] == [
            {
                "id": 1,
                "subject": "Template 3",
                "kind": "follow-up",
                "status": "queued",
                "sentAt": None,
            }
        ]

    def test_nothing_is_sent_before_it_is_due(
        self,
        staff: Client,
        work: Callable[[], Any],
        mailer: Any,
        make_contact: Make,
        make_rule: Make,
        move: Make,
        met: Any,
    ) -> None:
        make_rule(met, emailTemplateId=3, daysAfter=1)
        move(make_contact(email="ada@example.org"), met)
        work()

        assert mailer.sent == []
        assert board(staff)["pending"] == ["Ada Call"]

    @pytest.mark.parametrize("values", [{"status": "Inactive"}, {"email": None}, {}])
    def test_a_mail_that_cannot_be_sent_leaves_it_to_staff(
        self,
        staff: Client,
        work: Callable[[], Any],
        mailer: Any,
        due: Make,
        values: dict[str, Any],
    ) -> None:
        mailer.unsubscribed.add("ada@example.org")
        due(**values)
        work()

        mailer.unsubscribed.clear()
        work()
        assert mailer.sent == []
        assert board(staff)["overdue"] == ["Ada Call"]

    def test_a_worker_that_was_down_sends_the_mails_that_became_due_meanwhile(
        self, staff: Client, work: Callable[[], Any], clock: Any, mailer: Any, due: Make
    ) -> None:
        due()
        [rule] = staff.get(RULES).json
        clock.shift(days=3)
        staff.put_json(f"{RULES}/{rule['id']}", {"name": "Ring", "emailTemplateId": 4})
        work()

        assert [mail.template_id for mail in mailer.sent] == [4]
        assert board(staff)["overdue"] == []

    def test_a_rule_that_is_switched_off_sends_nothing_until_it_is_on_again(
        self, staff: Client, work: Callable[[], Any], clock: Any, mailer: Any, due: Make
    ) -> None:
        due()
        [rule] = staff.get(RULES).json
        staff.put_json(f"{RULES}/{rule['id']}", {"active": False})
        work()
        assert mailer.sent == []
        assert board(staff)["overdue"] == ["Ada Call"]

        clock.shift(hours=23)
        staff.put_json(f"{RULES}/{rule['id']}", {"active": True})
        work()
        assert [mail.to for mail in mailer.sent] == ["ada@example.org"]

    @pytest.mark.parametrize("active", [True, False])
    def test_a_new_template_of_a_rule_sends_nothing_that_has_been_due_for_long(
        self,
        staff: Client,
        work: Callable[[], Any],
        clock: Any,
        mailer: Any,
        due: Make,
        active: bool,
    ) -> None:
        due(template=None)
        work()
        [rule] = staff.get(RULES).json
        clock.shift(days=3)
        for change in ({"active": active}, {"emailTemplateId": 3}, {"active": True}):
            staff.put_json(f"{RULES}/{rule['id']}", change)
            clock.shift(minutes=1)
            work()

        assert mailer.sent == []
        assert board(staff)["overdue"] == ["Ada Call"]

    @pytest.mark.parametrize(
        "change", [{"active": False}, {"name": "Ring"}, {"daysAfter": 1}, {"emailTemplateId": 3}]
    )
    def test_a_rule_whose_template_was_deleted_can_still_be_changed(
        self, staff: Client, mailer: Any, make_rule: Make, met: Any, change: dict[str, Any]
    ) -> None:
        rule = make_rule(met, emailTemplateId=3)
        mailer.templates.discard(3)

        changed = staff.put_json(f"{RULES}/{rule['id']}", change).json
        assert changed == {**rule, **change}
        staff.put_json(f"{RULES}/{rule['id']}", {**change, "emailTemplateId": 10}, status=400)
        staff.post_json(RULES, {**rule, **change}, status=400)

    def test_a_missing_template_is_refused(self, staff: Client, make_rule: Make, met: Any) -> None:
        rule = make_rule(met, emailTemplateId=9)

        refused = staff.put_json(f"{RULES}/{rule['id']}", {"emailTemplateId": 10}, status=400)
        assert refused.json["error"] == "emailTemplateId: There is no such template"
        assert staff.put_json(f"{RULES}/{rule['id']}", {"emailTemplateId": None}).status_int == 200

    def test_two_workers_at_once_send_each_mail_once(
        self,
        database: Database,
        clock: Any,
        mailer: Any,
        make_contact: Make,
        make_rule: Make,
        move: Make,
        met: Any,
    ) -> None:
        make_rule(met, emailTemplateId=3, daysAfter=0)
        for number in range(12):
            move(make_contact(f"C{number}", email=f"c{number}@example.org"), met)
        clock.shift(seconds=1)

        def worker() -> None:
            for _ in range(3):
                with database.transaction() as session:
                    send_due_mails(session)

        threads = [threading.Thread(target=worker) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(m.to for m in mailer.sent) == sorted(f"c{n}@example.org" for n in range(12))
