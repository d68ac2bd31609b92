"""Vacancies as a plugin: content that closes at a time, and applications with a PDF file."""

from datetime import datetime
from typing import Any

from pyramid.response import Response
from sqlalchemy.orm import DeclarativeBase, Mapped

import masthead
from masthead import Email, Line, Plugin, Request, field, hookimpl, required


class Base(DeclarativeBase):
    """The base of this plugin's models."""

    metadata = masthead.plugin_metadata("vacancies")


class Vacancy(masthead.ContentItem, Base):
    """A vacancy; without a time it is open until somebody unpublishes it."""

    __tablename__ = "vacancies_vacancy"

    closes_at: Mapped[datetime | None] = field(masthead.Timestamp(), help="When it closes.")
    place: Mapped[str | None] = field(Line(), help="The place of work.")
    hours: Mapped[int | None] = field(masthead.Int(1, 60), help="The hours per week.")


class Application(masthead.ResourceItem, Base):
    """An application of a visitor, whose file goes with the row."""

    __tablename__ = "vacancies_application"

    name: Mapped[str] = field(Line(), required=True, help="The name of the person.")
    email: Mapped[str] = field(Email(), required=True, index=True, help="The address for a reply.")
    vacancy_id: Mapped[int | None] = field(masthead.Ref("vacancies", on_delete="clear"))
    file: Mapped[bytes] = masthead.file_column()


VACANCIES = masthead.ContentType(
    name="vacancies",
    label="Vacancy",
    plural="Vacancies",
    model=Vacancy,
    order="closesAt",
    expires="closesAt",
    detail="open",
    public_filters=("place", "hours"),
)
APPLICATIONS = masthead.Resource(
    name="applications",
    label="Application",
    model=Application,
    area="applications",
    person="email",
    operations=("list", "show", "delete"),
)
FIELDS = {"name": required(Line(), help="Your name."), "email": required(Email(), help="Yours.")}
FORM = masthead.form(masthead.schema(FIELDS, name="ApplicationForm", help="An application."))
PDF = "application/pdf"


@masthead.endpoint(
    "POST",
    "/api/vacancies/{id}/apply",
    name="vacancies.apply",
    permission=masthead.PUBLIC,
    body=FORM,
    upload=masthead.FileField(5_000_000, accepts=(PDF,), begins=(b"%PDF-",)),
    returns=masthead.RECEIVED,
)
def apply(request: Request) -> dict[str, Any]:
    """Apply for an open vacancy with a PDF file."""
    data, session = masthead.check_submission(request, "applications"), request.db
    vacancy = session.get(Vacancy, request.matchdict["id"])
    if vacancy is None or not masthead.is_visible(vacancy, masthead.utcnow()):
        raise masthead.Refused("This vacancy isn't open")
    session.add(Application(**data, vacancy_id=vacancy.id, file=request.upload.file.read()))
    message = f"{data['name']} ({data['email']}): {vacancy.title}"
    notice = masthead.Notice("New application", message, reply_to=data["email"])
    masthead.notify(session, masthead.holders("applications.read"), notice)
    return {"success": True, "message": "Thank you! Your application has arrived."}


@masthead.endpoint(
    "GET",
    "/api/staff/applications/{id}/file",
    name="staff.applications.file",
    permission="applications.read",
    returns=PDF,
)
def show_file(request: Request) -> Response:
    """Download the file of an application."""
    if (application := request.db.get(Application, request.matchdict["id"])) is None:
        raise masthead.NotFound
    return masthead.file_download(application.file, PDF, f"{application.name}.pdf")


@hookimpl
def masthead_content_types() -> list[masthead.Approvable]:
    """Return the content type of vacancies."""
    return [VACANCIES]


@hookimpl
def masthead_resources() -> list[masthead.Resource]:
    """Return the resource of applications."""
    return [APPLICATIONS]


@hookimpl
def masthead_routes() -> list[masthead.Endpoint]:
    """Return the form and the download."""
    return [apply, show_file]


plugin = Plugin("vacancies", hooks=(__name__,), base=Base, migrations=f"{__package__}.migrations")
