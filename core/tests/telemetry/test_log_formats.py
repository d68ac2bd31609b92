from __future__ import annotations

import json
import logging
import sys
from io import StringIO
from typing import Any

import pytest

from masthead import Instance
from masthead.server.access_log import access_log
from masthead.telemetry.log_formats import JsonFormatter, TextFormatter
from masthead.testing import Client
from masthead.web.app import app_of


def record(message: str, *arguments: object) -> logging.LogRecord:
    return logging.LogRecord("masthead.x", logging.ERROR, "", 1, message, arguments, None)


def test_a_traceback_is_a_field_of_one_line() -> None:
    written = record("It %s\x1b[2J\u2028", "failed\nbadly")
    try:
        int("two\nlines")
    except ValueError:
        written.exc_info = sys.exc_info()

    line = JsonFormatter().format(written)
    found = json.loads(line)

    assert line.isascii()
    assert line.isprintable()
    assert found["message"] == "It failed\nbadly\x1b[2J\u2028"
    assert (found["level"], found["logger"]) == ("ERROR", "masthead.x")
    assert found["time"].endswith("Z")
    assert found["exception"].endswith(r"'two\nlines'")
    assert found["exception"].count("\n") > 1
    assert "request_id" not in found
    assert TextFormatter().format(written).endswith(r"'two\nlines'")


def test_lines_of_a_request_have_its_id_user_and_endpoint(
    app: Client, instance: Instance, caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the disk is gone")

    caplog.set_level(logging.INFO)
    admin = app.as_role("admin")
    # The application of the test and the log, as the server has them.
    admin.app = access_log(app_of(instance))
    monkeypatch.setattr("masthead.web.system.shutil.disk_usage", fail)
    log = StringIO()
    handler = logging.StreamHandler(log)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        admin.get("/api/staff/system", status=500)
    finally:
        logging.getLogger().removeHandler(handler)

    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    (failed,) = [line for line in lines if line["logger"] == "masthead.http.refusals"]
    (access,) = [line for line in lines if line["logger"] == "masthead.access"]
    common = ("request_id", "user_id", "route")
    assert [failed[name] for name in common] == [access[name] for name in common]
    assert access["route"] == "staff.system.show"
    assert (access["method"], access["status"]) == ("GET", 500)
    assert access["target"] == "/api/staff/system"
    assert access["duration_ms"] > 0
    assert failed["exception"].endswith("RuntimeError: the disk is gone")
