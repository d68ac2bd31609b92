"""The endpoint of the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from masthead.approval.declaration import Approvable
from masthead.errors import Forbidden
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.instance import Instance
from masthead.organisation.services import organisation_of
from masthead.schedule.reading import chosen_span, read_schedule
from masthead.schedule.schemas import ENTRIES, TYPES, query


def schedule_endpoints(instance: Instance) -> list[Endpoint]:
    """Return the endpoint, if there are types with scheduled changes."""
    kinds = {name: it for name, it in instance.content_types.items() if it.scheduled_changes()}
    if not kinds:
        return []
    return [
        Endpoint(
            name="schedule.list",
            method="GET",
            path="/api/staff/schedule",
            view=partial(list_schedule, kinds),
            permission=SIGNED_IN,
            summary="List the changes that happen by themselves, by time",
            description="Items appear and vanish, staged edits go live, newsletters are sent. It"
            " lists the types that the caller may read, and also items that aren't approved.",
            query=query(list(kinds)),
            returns=ENTRIES,
            page=MOST_ROWS,
            refuses=frozenset({403}),
        )
    ]


def list_schedule(kinds: Mapping[str, Approvable], request: Request) -> Page:
    """Return a page of the scheduled changes of the types that the caller may read."""
    allowed = {n: it for n, it in kinds.items() if request.identity.may(it.read_permission)}
    wanted = request.query.get(TYPES) or allowed
    if not allowed.keys() >= set(wanted):
        raise Forbidden
    zone = organisation_of(request.db).zone
    span = chosen_span(request.query, zone)
    return read_schedule(request.db, [allowed[name] for name in wanted], span, zone, request.window)
