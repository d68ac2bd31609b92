"""The number of calls of Masthead's functions in a request, and the number of their modules.

A move is a call or a return from one module to another. The depth is the maximum number of frames
of Masthead on the stack. Other threads aren't counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from types import FrameType
from typing import Any

from PIL import Image
from sqlalchemy import update

from masthead import utcnow
from masthead.testing.accounts import PASSWORD
from masthead.worker.models import JobState
from masthead.worker.worker import Worker
from tests.bench.staffed import Staffed, staffed

NEWS, SUBSCRIBERS = "/api/staff/news", 3
WAIT = 10
"""The maximum number of turns of a worker until no job is due."""


class Walk:
    """The counts while functions run."""

    def __init__(self) -> None:
        self.calls = self.moves = self.depth = 0
        self.modules: set[str] = set()
        self._open: list[str] = []

    def __enter__(self) -> Walk:
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event not in ("call", "return"):
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith("masthead") or module.startswith("masthead.testing"):
            return
        if event == "call":
            self.calls += 1
            self.modules.add(module)
            self._note_move(module)
            self._open.append(module)
            self.depth = max(self.depth, len(self._open))
        elif self._open:
            self._open.pop()
            self._note_move(module)

    def _note_move(self, module: str) -> None:
        """Count a move between a module and the module of the frame below."""
        if self._open and self._open[-1] != module:
            self.moves += 1

    def __str__(self) -> str:
        return (
            f"{self.calls} calls, {len(self.modules)} modules, {self.moves} moves,"
            f" depth {self.depth}"
        )


def measure() -> Iterator[str]:
    """Yield the counts of several requests, which were made once before, and of a worker's turn."""
    with staffed() as desk:
        desk.publish(NEWS, "news", title="First", content="<p>Words</p>")
        for what, prepare in _REQUESTS.items():
            # Objects that are built once are not part of a request's work.
            prepare(desk)()
            request = prepare(desk)
            with Walk() as walk:
                request()
            yield f"{what}: {walk}"


def _warm(desk: Staffed) -> Callable[[], Any]:
    desk.visitor.get("/api/news?limit=50")
    return lambda: desk.visitor.get("/api/news?limit=50")


def _cold(desk: Staffed) -> Callable[[], Any]:
    desk.admin.post_json("/api/staff/tags", {"name": f"Tag {utcnow()}"})
    return lambda: desk.visitor.get("/api/news?limit=50")


def _edit(desk: Staffed) -> Callable[[], Any]:
    values = {"title": f"At {utcnow()}", "content": f"<p>It is {utcnow()}</p>"}
    return lambda: desk.admin.put_json(f"{NEWS}/1", values)


def _approve(desk: Staffed) -> Callable[[], Any]:
    made = desk.admin.post_json(NEWS, {"title": "Next", "content": "<p>Words</p>"}).json
    item = {"contentType": "news", "contentId": made["id"]}
    desk.admin.post_json("/api/staff/approval/request", item)
    return lambda: desk.admin.post_json("/api/staff/approval/approve", item)


def _send(desk: Staffed) -> Callable[[], Any]:
    for number in range(SUBSCRIBERS):
        desk.visitor.post_json("/api/newsletter/subscribe", {"email": f"s{number}@example.org"})
    path = "/api/staff/newsletters"
    values = {"title": "May", "subject": "May", "html_content": "<p>Hello {{name}}</p>"}
    made = desk.publish(path, "newsletters", **values)
    return lambda: desk.admin.post_json(f"{path}/{made}/send", {})


def _import(desk: Staffed) -> Callable[[], Any]:
    csv = f"name,email\nAda,a{utcnow():%f}@example.org\nBen,b{utcnow():%f}@example.org\n"
    file = [("file", "contacts.csv", csv.encode(), "text/csv")]
    return lambda: desk.admin.post("/api/staff/contacts/bulk-import", upload_files=file)


def _upload(desk: Staffed) -> Callable[[], Any]:
    image = BytesIO()
    Image.effect_noise((64, 64), 50).save(image, "PNG")
    file = [("file", "a.png", image.getvalue(), "image/png")]
    return lambda: desk.admin.post("/api/staff/upload/image", upload_files=file)


def _work(desk: Staffed) -> Callable[[], Any]:
    """Return a turn that sends one mail, with no other job due."""
    worker = Worker(desk.instance)
    for _ in range(WAIT):
        worker.turn()
    values = {"username": f"ada-{utcnow():%f}", "email": f"{utcnow():%f}@example.org"}
    desk.admin.post_json("/api/staff/users", values | {"password": PASSWORD})
    desk.visitor.post_json("/api/auth/forgot-password", {"username": values["username"]})
    _make_due(desk, "auth.recovery")
    worker.turn()
    _make_due(desk, "email.delivery")
    return worker.turn


def _make_due(desk: Staffed, jobs: str) -> None:
    due = update(JobState).where(JobState.name.startswith(jobs))
    with desk.instance.database.transaction() as session:
        session.execute(due.values(due_at=utcnow()))


_REQUESTS: dict[str, Callable[[Staffed], Callable[[], Any]]] = {
    "GET /api/news?limit=50, kept": _warm,
    "GET /api/news?limit=50, not kept": _cold,
    "PUT /api/staff/news/1": _edit,
    "POST /api/staff/approval/approve": _approve,
    "a newsletter sent to 3": _send,
    "contacts of 2 rows imported": _import,
    "an image uploaded": _upload,
    "a worker's turn with one mail": _work,
}
