"""The form by which visitors apply, and the files of applications for staff."""

from typing import Any

from pyramid.response import Response

from masthead import (
    PUBLIC,
    RECEIVED,
    Email,
    FileField,
    Line,
    NotFound,
    Notice,
    Refused,
    Request,
    Setting,
    Str,
    check_submission,
    endpoint,
    form,
    holders,
    integer,
    is_visible,
    notify,
    optional,
    required,
    schema,
    utcnow,
)
from masthead_vacancies.models import Application, Vacancy

MAX_BYTES = Setting(
    "masthead.vacancies.max_bytes",
    integer(1_000, 20_000_000),
    "5000000",
    "The most bytes of an application with its file.",
)
FORM = form(
    schema(
        {
            "name": required(Line(), help="The name of the person."),
            "email": required(Email(), help="The address for a reply."),
            "message": optional(Str(5_000), help="A text of the person."),
        },
        name="ApplicationForm",
        help="An application for a vacancy.",
    )
)


@endpoint(
    "POST",
    "/api/vacancies/{id}/apply",
    name="vacancies.apply",
    permission=PUBLIC,
    body=FORM,
    upload=FileField(MAX_BYTES, accepts=("application/pdf",)),
    returns=RECEIVED,
)
def apply(request: Request) -> dict[str, Any]:
    """Apply for an open vacancy with a PDF file."""
    data, session = check_submission(request, "applications"), request.db
    content = request.upload.file.read()
    if not content.startswith(b"%PDF-"):
        raise Refused("file: Must be a PDF file")
    vacancy = session.get(Vacancy, request.matchdict["id"])
    if vacancy is None or not is_visible(vacancy, utcnow()):
        raise Refused("This vacancy isn't open")
    session.add(Application(**data, vacancy_id=vacancy.id, file=content))
    person = f"{data['name']} ({data['email']})"
    notice = Notice("New application", f"{person}: {vacancy.title}", reply_to=data["email"])
    notify(session, holders("applications.read"), notice)
    return {"success": True, "message": "Thank you! Your application has arrived."}


@endpoint(
    "GET",
    "/api/staff/applications/{id}/file",
    name="staff.applications.file",
    permission="applications.read",
    returns="application/pdf",
)
def show_file(request: Request) -> Response:
    """Download the file of an application."""
    application = request.db.get(Application, request.matchdict["id"])
    if application is None:
        raise NotFound
    name = f"attachment; filename=application-{application.id}.pdf"
    answer = Response(application.file, content_type="application/pdf", charset=None)
    answer.headers["Content-Disposition"] = name
    return answer
