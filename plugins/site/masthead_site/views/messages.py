"""The endpoint of the contact form."""

from __future__ import annotations

from typing import Any

from masthead import PUBLIC, RECEIVED, Request, check_submission, endpoint, form_answer
from masthead_site import schemas
from masthead_site.services.messages import receive_message

KIND = "contact-messages"
THANKS = "Thank you! Your message has arrived."


@endpoint(
    "POST",
    "/api/contact",
    name="contact.send",
    permission=PUBLIC,
    returns=RECEIVED,
    body=schemas.MESSAGE_BODY,
    form=form_answer,
)
def send_message(request: Request) -> Any:
    """Send a message to the organisation."""
    receive_message(request.db, check_submission(request, KIND))
    return {"success": True, "message": THANKS}
