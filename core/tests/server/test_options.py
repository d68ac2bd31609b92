from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from masthead.errors import StartError
from masthead.server.options import SETTINGS, Options
from masthead.settings import Setting, read_settings

DECLARED = {setting.name: setting for setting in SETTINGS}


def test_the_defaults_of_settings_and_options_agree() -> None:
    settings = read_settings(DECLARED, {}, {})

    assert Options.from_settings(settings, headers=()) == Options()


def test_a_setting_reaches_its_option() -> None:
    ini = {"masthead.server.trusted_proxies": "10.0.0.0/8 ::1", "masthead.server.processes": "4"}

    options = Options.from_settings(read_settings(DECLARED, ini, {}), headers=(("a", "b"),))

    assert [str(network) for network in options.trusted_proxies] == ["10.0.0.0/8", "::1/128"]
    assert options.processes == 4
    assert options.headers == (("a", "b"),)


def test_a_proxy_that_is_no_address_stops_the_start() -> None:
    with pytest.raises(StartError, match="addresses or networks"):
        read_settings(DECLARED, {"masthead.server.trusted_proxies": "localhost"}, {})


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_blank_one_is_refused_where_it_would_mean_another_thing_than_the_default(
    setting: Setting[Any],
) -> None:
    with suppress(ValueError):
        assert setting.parse("  ") == setting.parse(setting.default)


def test_a_blank_host_is_not_every_host() -> None:
    with pytest.raises(StartError, match=r"^masthead\.server\.host: expected an address"):
        read_settings(DECLARED, {"masthead.server.host": " "}, {})
    with pytest.raises(StartError, match=r"^MASTHEAD_SERVER_HOST: expected an address"):
        read_settings(DECLARED, {}, {"MASTHEAD_SERVER_HOST": ""})
