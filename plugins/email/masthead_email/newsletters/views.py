"""The endpoints of newsletters beside those of the resource kit."""

from __future__ import annotations

from typing import Any

from masthead import Request, endpoint
from masthead_email.newsletters import audience, schemas, sending, services
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.sent_mail.schemas import SENT
from masthead_email.sent_mail.source import Source
from masthead_email.sent_mail.views import SentMailViews

_PATH = f"/api/staff/{NEWSLETTERS.path}/{{id}}"


@endpoint(
    "POST",
    f"{_PATH}/send",
    name="staff.newsletters.send",
    permission=NEWSLETTERS.write_permission,
    returns=SENT,
    refuses=frozenset({400}),
)
def send(request: Request) -> dict[str, Any]:
    """Send an approved newsletter to all subscribers.

    The answer comes at once; a worker delivers the mails afterwards.
    """
    sent = sending.send(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True, **sent}


@endpoint(
    "POST",
    f"{_PATH}/schedule",
    name="staff.newsletters.schedule",
    permission=NEWSLETTERS.write_permission,
    body=schemas.SCHEDULE,
    returns=NEWSLETTERS.answer(detail=True),
    refuses=frozenset({400}),
)
def schedule(request: Request) -> dict[str, Any]:
    """Schedule an approved newsletter, or make it a draft again."""
    time = request.data["scheduled_send_at"]
    newsletter = sending.schedule(request.db, request.matchdict["id"], time, request.identity.id)
    request.response.etag = str(newsletter.revision)
    return NEWSLETTERS.values(newsletter, detail=True)


@endpoint(
    "GET",
    f"{_PATH}/audience",
    name="staff.newsletters.audience",
    permission=NEWSLETTERS.read_permission,
    returns=schemas.AUDIENCE,
)
def show_audience(request: Request) -> dict[str, Any]:
    """Count the subscribers who would get a newsletter now."""
    return {"count": audience.count(request.db, request.matchdict["id"])}


@endpoint(
    "POST",
    f"{_PATH}/test",
    name="staff.newsletters.test",
    permission=NEWSLETTERS.write_permission,
    body=schemas.TEST,
    returns=schemas.TESTED,
    refuses=frozenset({400}),
)
def send_test(request: Request) -> dict[str, Any]:
    """Send a newsletter to one address as a test."""
    email = request.data["email"]
    mistakes = services.send_test(request.db, request.matchdict["id"], email, request.identity.id)
    return {"success": True, "mistakes": mistakes}


DELIVERIES = SentMailViews(
    Source(
        kind=NEWSLETTER,
        resource=NEWSLETTERS,
        label="a newsletter",
        action="newsletter",
        unsent="Newsletter was not sent yet",
        title=lambda newsletter: newsletter.title,
    )
)
"""The views of the deliveries of newsletters."""
