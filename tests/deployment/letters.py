"""A newsletter to many recipients."""

from __future__ import annotations

import time

from tests.deployment.client import Client

_TOO_LONG = 1800
_PATH = "/api/staff/newsletters"


class Letter:
    """A newsletter through the API."""

    def __init__(self, staff: Client, recipients: int) -> None:
        self.recipients = {f"s{number}@example.org" for number in range(recipients)}
        self._staff = staff
        self._place = ""

    def send(self) -> None:
        """Import the recipients, then write the newsletter, approve it and send it."""
        content = "\n".join(["email", *sorted(self.recipients)]).encode()
        path = "/api/staff/newsletter-subscribers/bulk-import"
        imported = self._staff.upload(path, "subscribers.csv", content, _TOO_LONG)
        assert imported.status == 200, imported.body
        body = {"title": "May", "subject": "May", "html_content": "<p>The garden opens.</p>"}
        made = self._staff.ask("POST", _PATH, body)
        assert made.status == 200, made.body
        self._place = f"{_PATH}/{made.json['id']}"
        for move in ("request", "approve"):
            item = {"contentType": "newsletters", "contentId": made.json["id"]}
            assert self._staff.ask("POST", f"/api/staff/approval/{move}", item).status == 200
        sent = self._staff.ask("POST", f"{self._place}/send")
        assert sent.status == 200, sent.body

    def wait_until_sent(self) -> None:
        """Wait until the relay has taken the message to each recipient."""
        end = time.monotonic() + _TOO_LONG
        while True:
            state = self._staff.ask("GET", f"{self._place}/deliveries").json
            if state["sent"] == len(self.recipients):
                return
            assert not state["failed"], state
            assert time.monotonic() < end, state
            time.sleep(0.5)
