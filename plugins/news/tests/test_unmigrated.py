"""An instance whose tables of news are missing, as before ``masthead db upgrade``."""

from __future__ import annotations

from pathlib import Path

from webtest import TestApp

from masthead.db import migrate
from masthead.instance import open_instance
from masthead.web.app import app_of


def test_readiness_names_the_missing_tables_and_other_endpoints_answer(tmp_path: Path) -> None:
    ini = {
        "masthead.data": str(tmp_path),
        "masthead.plugins": "news",
        "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
    }
    instance = open_instance(ini, {})
    app = TestApp(app_of(instance))

    app.get("/healthz", status=200)
    app.get("/readyz", status=503)
    migrate.upgrade(instance.database, [p for p in instance.plugins if p.name == "core"])

    app.get("/healthz", status=200)
    assert "news" in app.get("/readyz", status=503).json["error"]
    assert app.get("/api/tags", status=200).json == []
    instance.close()
