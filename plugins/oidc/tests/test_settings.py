"""The settings, and what the checks say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from masthead import Instance
from masthead.testing import Client
from masthead_oidc.checks import provider_trouble, roles_trouble, settings_trouble
from masthead_oidc.settings import ISSUER, RETURN_ADDRESSES, ROLES


@pytest.mark.parametrize("value", ["http://login.example.org", "login.example.org", "ftp://a.b/"])
def test_an_issuer_is_an_address_with_https(value: str) -> None:
    with pytest.raises(ValueError, match="https"):
        ISSUER.parse(value)


def test_an_issuer_is_kept_as_the_provider_writes_it() -> None:
    for value in ("", "https://a.example/", "https://a.example/realms/x", "http://127.0.0.1:9"):
        assert ISSUER.parse(value) == value


@pytest.mark.parametrize("value", ["/staff", "https://a.example/#x", "https://u@a.example", "a,b"])
def test_a_return_address_is_absolute(value: str) -> None:
    with pytest.raises(ValueError, match="blanks"):
        RETURN_ADDRESSES.parse(value)


def test_a_group_can_give_several_roles() -> None:
    found = ROLES.parse('board=admin cn=a,dc=b=editor board=editor "All staff"=editor')
    assert found.pop("board") == {"admin", "editor"}
    assert found == {"cn=a,dc=b": {"editor"}, "All staff": {"editor"}}
    assert ROLES.parse(r'EXAMPLE\board=admin "cn=a\, b"=editor') == {
        r"EXAMPLE\board": {"admin"},
        r"cn=a\, b": {"editor"},
    }
    for value in ("board", "=admin", "board=", '"board=admin'):
        with pytest.raises(ValueError, match="staff=editor"):
            ROLES.parse(value)


class TestWithoutIssuer:
    """An instance with the plugin and without settings."""

    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {}

    def test_nothing_changes(self, app: Client, instance: Instance) -> None:
        path = "/api/auth/oidc"
        assert app.get(path).json == {
            "enabled": False,
            "passwordLogins": True,
            "providers": [],
        }
        app.get(f"{path}/login", status=404)
        app.get(f"{path}/callback?code=a", status=404)
        app.post_json(f"{path}/token", {"ticket": "a"}, status=404)
        app.post(f"{path}/backchannel-logout", {"logout_token": "a"}, status=404)
        assert settings_trouble(instance) is None
        assert provider_trouble(instance) is None


class TestWithHttps:
    """An instance with https, as a deployment has it."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        return {**settings, "masthead.base_url": "https://api.example.org"}

    def test_the_cookie_belongs_to_the_host_alone(self, browser: Any) -> None:
        answer = browser.app.get("/api/auth/oidc/login", status=302)

        name, *attributes = answer.headers["Set-Cookie"].split("; ")
        assert name.startswith("__Host-masthead-oidc-")
        assert {"HttpOnly", "Path=/", "SameSite=lax", "secure"} <= set(attributes)
        assert not any(each.startswith("Domain") for each in attributes)


class TestRoles:
    """Roles in the settings without an effect."""

    @pytest.fixture
    def settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        further = "issuer=https://a.example client_id=1 create_users=true"
        return {
            **settings,
            "masthead.oidc.roles": "board=admin",
            "masthead.oidc.new_user_roles": "editor",
            "masthead.oidc.providers": f"""
                a: {further} roles=team=editor new_user_roles='guest Editor'
            """,
        }

    def test_the_doctor_names_them(self, instance: Instance, make_role: Any) -> None:
        told = "new_user_roles and roles both name Editor, so roles decides"
        assert roles_trouble(instance) == f"there is no role guest; {told}"
        make_role("guest")
        assert roles_trouble(instance) == told


def test_the_doctor_names_the_trouble(instance: Instance, issuer: Any) -> None:
    assert provider_trouble(instance) is None
    assert roles_trouble(instance) is None

    issuer.metadata = {"issuer": "https://other.example"}
    assert "names the issuer 'https://other.example'" in str(provider_trouble(instance))
    issuer.metadata = {"jwks_uri": None}
    assert "lacks jwks_uri" in str(provider_trouble(instance))
    issuer.reply(404)
    assert "answers 404" in str(provider_trouble(instance))
    issuer.reply(200, body=b"<html>")
    assert "fails" in str(provider_trouble(instance))
