"""The endpoint of composed e-mails beside those of the resource kit."""

from __future__ import annotations

from masthead import SUCCESS, Request, endpoint
from masthead_email.composed import services
from masthead_email.composed.resource import COMPOSED_EMAILS


@endpoint(
    "POST",
    f"/api/staff/{COMPOSED_EMAILS.path}/{{id}}/send",
    name="staff.compose-emails.send",
    permission=COMPOSED_EMAILS.write_permission,
    also_needs=COMPOSED_EMAILS.also_needs,
    returns=SUCCESS,
    refuses=frozenset({400}),
)
def send(request: Request) -> dict[str, bool]:
    """Send a composed e-mail now."""
    services.send(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}
