"""A credential of a program gives no access to the accounts of people, whatever it may do."""

from __future__ import annotations

import re
from datetime import timedelta

from masthead import Instance, utcnow
from masthead.testing import Client


def test_endpoints_for_people_refuse_a_token_with_all_permissions(
    app: Client, instance: Instance
) -> None:
    expires = (utcnow() + timedelta(days=1)).isoformat()
    body = {"name": "Build", "permissions": ["admin"], "expiresAt": expires}
    token = app.as_role("admin").post_json("/api/staff/api-tokens", body).json["token"]
    app.authorization = ("Bearer", token)
    app.get("/api/auth/check")
    refused = [each for each in instance.endpoints if each.needs_login]
    assert len(refused) > 20

    for each in refused:
        path = re.sub(r"{[^{}]*}", "1", each.path)
        answer = app.request(path, method=each.method, status="*")
        assert answer.status_int == 403, each.name
