"""The contact form."""

from __future__ import annotations

from typing import Any

from masthead import Request, check_submission
from masthead_site.services import messages

KIND = "contact-messages"
THANKS = "Thank you! Your message has arrived."


def send_message(request: Request) -> Any:
    """A visitor writes to the organisation."""
    messages.receive_message(request.db, check_submission(request, KIND))
    return {"success": True, "message": THANKS}
