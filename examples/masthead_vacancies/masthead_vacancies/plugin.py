"""Vacancies as a plugin: content that closes at a time, and a resource about persons."""

from typing import Any

from masthead import (
    Approvable,
    ContentType,
    Endpoint,
    Instance,
    Int,
    Nullable,
    Plugin,
    Resource,
    Setting,
    Timestamp,
    endpoints_in,
    hookimpl,
)
from masthead_vacancies import views
from masthead_vacancies.models import Application, Base, Vacancy

VACANCIES = ContentType(
    name="vacancies",
    label="Vacancy",
    plural="Vacancies",
    model=Vacancy,
    order="closesAt",
    expires="closesAt",
    detail="open",
    public_filters=("place", "hours"),
)
APPLICATIONS = Resource(
    name="applications",
    label="Application",
    model=Application,
    area="applications",
    person="email",
    operations=("list", "show", "delete"),
    shows={
        "vacancyId": Nullable(Int()).described("The id of the vacancy; null if it was deleted."),
        "createdAt": Timestamp().described("The time at which it arrived."),
    },
)


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of vacancies."""
    return [VACANCIES]


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of applications."""
    return [APPLICATIONS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:  # noqa: ARG001 - no setting is needed
    """Return the form and the download."""
    return endpoints_in(views)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the limit of an application."""
    return [views.MAX_BYTES]


plugin = Plugin(
    "vacancies", hooks=(__name__,), base=Base, migrations="masthead_vacancies.migrations"
)
