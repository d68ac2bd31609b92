"""Marks for choosing among the tests, and fixtures that need one of the plugins.

Tests that are slow have the mark ``slow`` in their own file.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, settings

from masthead.auth import passwords

if TYPE_CHECKING:
    from masthead import Instance
    from masthead.testing import Client

_ROOT = Path(__file__).parent
_OF_THE_CODE = ("architecture", "docs")
"""The folders of ``tests`` that read files instead of using the product."""
_MEMORY = Path("/dev/shm")  # noqa: S108 (the files get folders of their own)
_NEEDED = 4 << 30  # bytes; the slow tests create environments


def _use_memory() -> None:
    """Keep temporary files in memory, because each commit of a server would wait for the disk."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    # Tests also start programs that they write there.
    executable = not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    if executable and shutil.disk_usage(_MEMORY).free > _NEEDED:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


_use_memory()

# Time decides nothing: machines differ. Examples share the instance of their test.
settings.register_profile(
    "masthead",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("masthead")


_REAL_HASHING = {name: getattr(passwords, name) for name in ("_hasher", "DUMMY_HASH")}


def _hash_cheaply() -> None:
    """Hash passwords with the smallest parameters, because the real ones take 40 ms of a core."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    passwords._hasher = cheap  # noqa: SLF001 - it is no setting, so that nobody can weaken it
    passwords.DUMMY_HASH = f"$argon2id$v=19$m=8,t=1,p=1${'A' * 22}${'A' * 43}"


_hash_cheaply()


@pytest.fixture
def real_hashing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with the parameters of the product during the test."""
    for name, value in _REAL_HASHING.items():
        monkeypatch.setattr(passwords, name, value)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the database that is asked for, and tests of the assembled product."""
    for item in items:
        folder = item.path.relative_to(_ROOT).parts[:2]
        if folder[0] == "tests" and folder[1] not in _OF_THE_CODE:
            item.add_marker("product")
        if item.get_closest_marker("exhaustive") is not None:
            item.add_marker("slow")
        uses_it = "postgresql_server" in getattr(item, "fixturenames", ())
        if uses_it and item.get_closest_marker("any_database") is None:
            item.add_marker("database")


@pytest.fixture
def mails(instance: Instance, work: Callable[..., None]) -> Callable[[], list[EmailMessage]]:
    """Return a function that runs the worker and returns all messages, the oldest first."""

    def number(file: Path) -> int:
        # A name begins with random digits of the message, and the number of the delivery follows.
        return int(file.name.split(".")[1].partition("@")[0])

    def read() -> list[EmailMessage]:
        # The first queues mail for the others.
        work("auth.recovery")
        work("email.newsletters", "email.composed", "email.delivery")
        files = sorted((instance.data / "mail").glob("*.eml"), key=number)
        return [message_from_bytes(f.read_bytes(), EmailMessage, policy=default) for f in files]

    return read


@pytest.fixture
def upload(app: Client) -> Callable[..., Any]:
    """Return a function that uploads bytes as staff and returns the body of the answer."""
    from webtest.forms import Upload

    editor = app.as_role("editor")

    def send(content: bytes, name: str = "a.png", kind: str = "image/png", **options: Any) -> Any:
        form = {"file": Upload(name, content, kind)}
        return editor.post("/api/staff/upload/image", form, **options).json

    return send
