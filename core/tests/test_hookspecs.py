"""Each hook is called as documented, and its result is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import click
import pytest
from pyramid.request import Request
from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session

from masthead import (
    PUBLIC,
    Approvable,
    AuditAction,
    Caller,
    CausingMail,
    Check,
    Chore,
    ContentItem,
    ContentType,
    Endpoint,
    Instance,
    Int,
    Job,
    Mail,
    MailHistory,
    MailRecord,
    MailSuppression,
    MailSuppressions,
    NavigationEntry,
    Notice,
    Permission,
    PersonData,
    Plugin,
    Refused,
    Resource,
    ResourceItem,
    Setting,
    Str,
    Transitioned,
    User,
    check_submission,
    field,
    forget_person,
    form,
    hookimpl,
    integer,
    person_data,
    plugin_metadata,
    read_deliverability,
    record,
    required,
    schema,
    utcnow,
)
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.plugins import collect, make_manager
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead.worker.jobs import jobs_of

BEDS = Setting("masthead.garden.beds", integer(1, 100), "12", "How many beds there are.")


class Base(DeclarativeBase):
    metadata = plugin_metadata("garden")


class Plant(ContentItem, Base):
    __tablename__ = "garden_plant"
    __table_args__ = {"sqlite_autoincrement": True}


class Tool(ResourceItem, Base):
    __tablename__ = "garden_tool"

    name: Mapped[str] = field(Str(), required=True)


PLANTS = ContentType(name="plants", label="Plant", model=Plant)
TOOLS = Resource(name="tools", label="Tool", model=Tool, area="garden")


class Hooks:
    """An implementation of each hook; it refuses a plant named Bindweed."""

    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        return [BEDS]

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [PLANTS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        return [TOOLS]

    @hookimpl
    def masthead_permissions(
        self, content_types: Mapping[str, Approvable], resources: Mapping[str, Resource]
    ) -> list[Permission]:
        named = [*content_types, *resources]
        return [Permission(f"garden.{name}", "Touch them.", editor=False) for name in named]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        return [
            NavigationEntry("beds", "Beds", "/beds", order=2),
            NavigationEntry("plants", "Plants", "/plants", order=1),
        ]

    @hookimpl
    def masthead_routes(self, instance: Instance) -> list[Endpoint]:
        answer = schema({"beds": required(Int())})
        beds = {"beds": instance.settings[BEDS]}
        return [
            Endpoint(
                name="garden.beds",
                method="GET",
                path="/api/garden/beds",
                view=lambda _: beds,
                permission=PUBLIC,
                summary="Beds",
                returns=answer,
            ),
            Endpoint(
                name="garden.ask",
                method="POST",
                path="/api/garden/ask",
                view=ask,
                permission=PUBLIC,
                summary="Ask",
                body=form(schema({"question": required(Str())})),
                returns=schema({"question": required(Str())}),
            ),
        ]

    @hookimpl
    def masthead_check_submission(
        self, request: Request, kind: str, data: Mapping[str, Any]
    ) -> None:
        if "weeds" in data["question"]:
            raise Refused(f"No {kind} of weeds from {request.remote_addr}")

    @hookimpl
    def masthead_audit_actions(self, resources: Mapping[str, Resource]) -> list[AuditAction]:
        names = ("garden.heard", "garden.bell", "garden.postcard", f"garden.{len(resources)}-kinds")
        return [AuditAction(name, "Something happened in the garden.") for name in names]

    @hookimpl
    def masthead_commands(self, group: click.Group) -> None:
        group.add_command(click.Command("water"))

    @hookimpl
    def masthead_checks(self) -> list[Check]:
        return [Check("well", lambda instance: "dry" if instance.settings[BEDS] > 50 else None)]

    @hookimpl
    def masthead_jobs(self, instance: Instance) -> list[Job | Chore]:
        return [Job("garden.weed", timedelta(days=instance.settings[BEDS]), lambda _: None)]

    @hookimpl
    def masthead_committing(self, session: Session) -> None:
        session.flush()
        if session.scalar(select(Plant.id).where(Plant.title == "Bindweed")):
            raise Refused("Not in this garden")

    @hookimpl
    def masthead_transitioned(self, session: Session, event: Transitioned) -> None:
        record(session, "garden.heard", None, detail=f"{event.transition} {event.title}")

    @hookimpl
    def masthead_notified(self, session: Session, notice: Notice, recipients: Select[int]) -> None:
        record(
            session,
            "garden.bell",
            None,
            title=notice.title,
            to=len(session.execute(recipients).all()),
        )

    @hookimpl
    def masthead_deliver_mail(self, session: Session, mail: Mail) -> bool:
        record(session, "garden.postcard", None, to=mail.to)
        return mail.kind == "follow-up"

    @hookimpl
    def masthead_mail_templates(self, ids: Sequence[int]) -> list[int]:
        return [number for number in ids if number < 5]

    @hookimpl
    def masthead_mail_history(self, address: str) -> MailHistory:
        mail = MailRecord(1, f"Seeds for {address}", "composed", "queued", None)
        return MailHistory("plants.read", [mail])

    @hookimpl
    def masthead_suppressions(self, addresses: Sequence[str]) -> MailSuppressions:
        mail = CausingMail("newsletter", 3, "Seeds")
        gone = MailSuppression("gone", utcnow(), "550", mail)
        found = {address: gone for address in addresses if address.startswith("gone@")}
        return MailSuppressions("plants.read", found)

    @hookimpl
    def masthead_person_data(self, session: Session, address: str) -> list[PersonData]:
        plants = session.scalars(select(Plant.title).where(Plant.title == address))
        return [
            PersonData("plants", "plants.read", [{"title": title} for title in plants]),
            PersonData("beds", "plants.read", [{"owner": address}]),
        ]

    @hookimpl
    def masthead_forget_person(self, session: Session, address: str) -> None:
        session.execute(delete(Plant).where(Plant.title == address))


def ask(request: Request) -> Any:
    return check_submission(request, "questions")


PLUGIN = Plugin(name="garden", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, PLUGIN]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {BEDS.name: "60"}


@pytest.fixture
def desk(app: Client) -> Desk:
    return Desk(app, "plants").as_role("editor")


def test_hook_settings_declares_settings(instance: Instance) -> None:
    assert instance.settings[BEDS] == 60


def test_hook_content_types_gives_a_type_its_routes(desk: Desk) -> None:
    assert desk.create(title="Rose")["slug"] == "rose"


def test_hook_resources_adds_staff_endpoints(app: Client) -> None:
    made = app.as_role("editor").post_json("/api/staff/tools", {"name": "Spade"})

    assert made.json["name"] == "Spade"


def test_hook_permissions_is_given_content_types_and_resources(instance: Instance) -> None:
    assert {"garden.plants", "garden.tools", "garden.write"} <= instance.permissions.keys()


def test_hook_audit_actions_declares_actions_and_is_given_resources(instance: Instance) -> None:
    assert {"garden.heard", "garden.1-kinds"} <= instance.audit_actions.keys()
    assert {"user.create", "approval.vote", "tools.import"} <= instance.audit_actions.keys()


def test_hook_routes_adds_endpoints(app: Client) -> None:
    assert app.get("/api/garden/beds").json == {"beds": 60}


def test_hook_commands_adds_commands() -> None:
    group = click.Group()

    collect(make_manager([PLUGIN]), "masthead_commands", group=group)

    assert list(group.commands) == ["water"]


def test_hook_checks_is_asked_by_readyz(app: Client) -> None:
    assert "well: dry" in app.get("/readyz", status=503).json["error"]


def test_hook_jobs_declares_work_for_the_worker(instance: Instance) -> None:
    every = {job.name: job.every for job in jobs_of(instance)}

    assert every["garden.weed"] == timedelta(days=60)


def test_hook_committing_can_refuse_a_whole_transaction(desk: Desk, session: Session) -> None:
    refused = desk.create(title="Bindweed", status=400)

    assert refused == {"error": "Not in this garden"}
    assert session.scalar(select(func.count()).select_from(Plant)) == 0


def test_hook_transitioned_writes_in_the_transaction_of_the_move(
    desk: Desk, database: Database
) -> None:
    desk.request(desk.create(title="Rose")["id"])

    with database.session(read_only=True) as reading:
        heard = reading.scalars(select(AuditEntry).where(AuditEntry.action == "garden.heard")).one()
    assert heard.detail == {"detail": "request Rose"}


def test_hook_navigation_offers_pages_in_their_order(instance: Instance) -> None:
    assert [(entry.name, entry.path) for entry in instance.navigation] == [
        ("plants", "/plants"),
        ("beds", "/beds"),
    ]


def test_hook_check_submission_may_refuse_a_form(app: Client) -> None:
    question = {"question": "When do roses bloom?"}
    weeds = {"question": "How do weeds grow?"}

    refused = app.post_json("/api/garden/ask", weeds, status=400)

    assert app.post_json("/api/garden/ask", {**question, "website": ""}).json == question
    assert refused.json == {"error": "No questions of weeds from 127.0.0.1"}


def test_a_form_whose_hidden_field_is_filled_in_is_refused(app: Client) -> None:
    spam = {"question": "Cheap seeds?", "website": "https://seeds.example"}

    refused = app.post_json("/api/garden/ask", spam, status=400)

    assert refused.json["error"] == "website: Must be empty"


def test_hook_notified_gets_notices(
    desk: Desk, database: Database, make_user: Callable[..., User]
) -> None:
    make_user("ada", role="admin")
    make_user("grace", role="admin")

    desk.request(desk.create(title="Rose")["id"])

    with database.session(read_only=True) as reading:
        heard = reading.scalars(select(AuditEntry).where(AuditEntry.action == "garden.bell")).one()
    assert heard.detail == {"title": "Approval Request: Plant", "to": 2}


def test_hook_deliver_mail_answers_whether_it_will_be_sent(instance: Instance) -> None:
    with instance.database.transaction() as session:
        deliver = instance.hooks.masthead_deliver_mail
        sent = deliver(session=session, mail=Mail(to="ada@example.org", kind="follow-up"))
        refused = deliver(session=session, mail=Mail(to="ada@example.org", kind="advert"))

    assert (sent, refused) == (True, False)


def test_hook_mail_templates_tells_which_exist(instance: Instance, session: Session) -> None:
    assert instance.hooks.masthead_mail_templates(session=session, ids=[3, 7]) == [[3]]


def test_hook_mail_history_lists_mails_to_a_person(instance: Instance, session: Session) -> None:
    [history] = instance.hooks.masthead_mail_history(session=session, address="ada@example.org")

    assert history.permission == "plants.read"
    assert [mail.subject for mail in history.mails] == ["Seeds for ada@example.org"]


@pytest.mark.parametrize(("permission", "reason"), [("plants.read", "550"), ("tools.read", None)])
def test_hook_suppressions_says_which_addresses_get_no_mail_and_why(
    session: Session, permission: str, reason: str | None
) -> None:
    caller = Caller(1, "ada", frozenset({permission}), frozenset())
    addresses = ["gone@example.org", "ada@example.org", None, "gone@example.org"]

    answers = read_deliverability(session, addresses, caller)

    assert [answer["deliverable"] for answer in answers] == [False, True, False, False]
    found, *others, again = (answer["suppression"] for answer in answers)
    assert found == again
    assert others == [None, None]
    assert (found.kind, found.reason, found.mail is None) == ("gone", reason, reason is None)


def test_hook_person_data_lists_the_data_of_a_person(desk: Desk, session: Session) -> None:
    desk.create(title="ada@example.org")

    report = person_data(session, ["ada@example.org"], None)
    assert report.left_out == []
    assert report.data == {
        "beds": [{"owner": "ada@example.org"}],
        "plants": [{"title": "ada@example.org"}],
    }


def test_hook_forget_person_erases_it(desk: Desk, instance: Instance, session: Session) -> None:
    desk.create(title="ada@example.org")
    desk.create(title="Rose")

    with instance.database.transaction() as writing:
        forget_person(writing, "ada@example.org")

    assert session.scalars(select(Plant.title)).all() == ["Rose"]
