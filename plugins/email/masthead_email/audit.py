"""The actions of subscribers and mail that the audit log records."""

from __future__ import annotations

from typing import Final

from masthead import AuditAction
from masthead_email.subscribers.bulk import DELETE, OPERATIONS
from masthead_email.subscribers.resource import SUBSCRIBERS

_OF_MAILS: Final = {
    "cancel": "The deliveries that were left were cancelled.",
    "expire": "It came too late for its time, and is a draft again.",
    "pause": "Its sending was paused.",
    "resume": "Its sending was resumed.",
    "retry": "Failed deliveries were queued again.",
    "send": "It was sent.",
}
"""The actions of newsletters and of composed e-mails."""
_OTHERS: Final = {
    "newsletter.schedule": "A newsletter got another time of sending, or none.",
    "newsletter.test": "A newsletter was sent as a test.",
    "newsletter.withdraw": "A newsletter was removed from the archive.",
    "subscriber.merge": "A subscriber who changed to the address of another one was merged.",
    "subscriber.move": "A subscriber changed the address.",
    "suppression.create": "An address was suppressed by hand.",
    "suppression.release": "Suppressed addresses were released.",
}


def audit_actions() -> list[AuditAction]:
    """Return the actions."""
    mails = {
        f"{kind}.{verb}": f"{name}: {told}"
        for kind, name in (("email", "A composed e-mail"), ("newsletter", "A newsletter"))
        for verb, told in _OF_MAILS.items()
    }
    bulk = {
        f"{SUBSCRIBERS.name}.{operation}": "Many subscribers were changed at once."
        for operation in OPERATIONS
        if operation != DELETE
    }
    return [AuditAction(name, told) for name, told in {**mails, **_OTHERS, **bulk}.items()]
