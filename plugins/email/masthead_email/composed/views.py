"""The endpoints of composed e-mails beside those of the resource kit."""

from __future__ import annotations

from typing import Any

from masthead import Request, endpoint
from masthead_email.composed import services
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.outbox.models import COMPOSED
from masthead_email.sent_mail.schemas import SENT
from masthead_email.sent_mail.source import Source
from masthead_email.sent_mail.views import SentMailViews


@endpoint(
    "POST",
    f"/api/staff/{COMPOSED_EMAILS.path}/{{id}}/send",
    name="staff.compose-emails.send",
    permission=COMPOSED_EMAILS.write_permission,
    also_needs=COMPOSED_EMAILS.also_needs,
    returns=SENT,
    refuses=frozenset({400}),
)
def send(request: Request) -> dict[str, Any]:
    """Send a composed e-mail now."""
    sent = services.send(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True, **sent}


DELIVERIES = SentMailViews(
    Source(
        kind=COMPOSED,
        resource=COMPOSED_EMAILS,
        label="a composed e-mail",
        action="email",
        unsent="Email was not sent yet",
        title=services.title_of,
    )
)
"""The views of the deliveries of composed e-mails."""
