"""Settings are read from ini file and environment; errors are one clear line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from masthead.errors import StartError
from masthead.http.routes import base_address
from masthead.settings import (
    Setting,
    as_ini,
    boolean,
    check_declarations,
    choice,
    contradictions,
    doubts,
    folder,
    integer,
    read_settings,
    text,
    unknown_variables,
    url,
    words,
)

THREADS = Setting("masthead.server.threads", integer(1, 256), "8", "How many threads.")
NAMES = Setting("masthead.names", words, "a\n    b", "Names.\nMore of them.")
SECRET = Setting("masthead.secret", integer(1, 9), "1", "Hush.", secret=True)
DECLARED = check_declarations([("core", THREADS), ("core", NAMES), ("core", SECRET)])


def test_the_default_is_used_without_a_value() -> None:
    settings = read_settings(DECLARED, {}, {})

    assert settings[THREADS] == 8
    assert settings[NAMES] == ("a", "b")


def test_the_ini_is_stronger_than_the_default_and_the_environment_than_both() -> None:
    ini = {"masthead.server.threads": " 4 "}

    assert read_settings(DECLARED, ini, {})[THREADS] == 4
    assert read_settings(DECLARED, ini, {"MASTHEAD_SERVER_THREADS": "2"})[THREADS] == 2


def test_keys_of_others_are_left_alone() -> None:
    ini = {"pyramid.reload": "x", "use": "egg:x"}

    assert read_settings(DECLARED, ini, {"PATH": "x"})[THREADS] == 8


def test_an_unknown_setting_is_named_with_a_guess() -> None:
    with pytest.raises(StartError) as error:
        read_settings(DECLARED, {"masthead.server.thread": "4"}, {})

    assert str(error.value) == (
        "unknown setting masthead.server.thread; did you mean masthead.server.threads?"
    )
    with pytest.raises(StartError, match=r"^unknown setting masthead\.zzzzzzzz$"):
        read_settings(DECLARED, {"masthead.zzzzzzzz": "password"}, {})


@pytest.mark.parametrize(
    ("key", "guess"),
    [
        ("masthed.server.threads", "masthead.server.threads"),
        ("Masthead.server.threads", "masthead.server.threads"),
        ("MASTHEAD_SERVER_THREADS", "masthead.server.threads"),
        ("masthead_names", "masthead.names"),
        ("server.threads", "masthead.server.threads"),
        ("server_thread", "masthead.server.threads"),
    ],
)
def test_a_setting_with_a_misspelt_prefix_is_refused_with_a_guess(key: str, guess: str) -> None:
    with pytest.raises(StartError) as error:
        read_settings(DECLARED, {key: "4"}, {})

    assert str(error.value) == f"unknown setting {key}; did you mean {guess}?"


def test_another_key_that_nothing_reads_is_worth_a_warning() -> None:
    ini = {"use": "x", "filter-with": "y", "paste.app_factory": "z", "mail.host": "relay"}

    assert read_settings(DECLARED, ini, {})[THREADS] == 8
    (line,) = doubts(DECLARED, ini, {})
    assert line.startswith("Nothing reads the key mail.host of the configuration file; variables")
    assert doubts(DECLARED, {"masthead.news.x": "1"}, {}, ["news"]) == []


def test_a_variable_with_a_misspelt_prefix_is_worth_a_warning() -> None:
    environ = {"MASTHED_SERVER_THREADS": "4", "masthead.names": "a", "MASTER_KEY": "b"}

    assert unknown_variables(DECLARED, environ) == ["MASTHED_SERVER_THREADS", "masthead.names"]
    assert "did you mean MASTHEAD_SERVER_THREADS?" in doubts(DECLARED, {}, environ)[0]


def test_an_unknown_variable_is_worth_a_warning_only() -> None:
    environ = {"MASTHEAD_SERVER_THREAD": "4", "MASTHEAD_SECRET": "1", "HOME": "/"}

    assert unknown_variables(DECLARED, environ) == ["MASTHEAD_SERVER_THREAD"]
    assert read_settings(DECLARED, {}, environ)[THREADS] == 8


@pytest.mark.parametrize(
    ("ini", "environ", "message"),
    [
        (
            {"masthead.server.threads": "many"},
            {},
            "masthead.server.threads: expected a whole number from 1 to 256, got 'many'",
        ),
        (
            {},
            {"MASTHEAD_SERVER_THREADS": "0\nx"},
            r"MASTHEAD_SERVER_THREADS: expected a whole number from 1 to 256, got '0\nx'",
        ),
    ],
)
def test_a_bad_value_is_named_by_where_it_stands(
    ini: dict[str, str], environ: dict[str, str], message: str
) -> None:
    with pytest.raises(StartError) as error:
        read_settings(DECLARED, ini, environ)

    assert str(error.value) == message


def test_a_bad_secret_is_never_shown() -> None:
    for ini, environ in (({SECRET.name: "hush"}, {}), ({}, {SECRET.variable: "hush"})):
        with pytest.raises(StartError) as error:
            read_settings(DECLARED, ini, environ)

        assert "expected a whole number" in str(error.value)
        assert "hush" not in str(error.value)


def test_two_plugins_that_declare_one_setting_are_both_named() -> None:
    with pytest.raises(StartError) as error:
        check_declarations([("news", THREADS), ("events", THREADS)])

    assert str(error.value) == (
        "news and events both declare the setting masthead.server.threads; rename it in events"
    )


def test_two_settings_of_one_variable_are_refused() -> None:
    twin = Setting("masthead.server_threads", integer(1, 2), "1", "")

    for owner in ("events", "news"):
        with pytest.raises(StartError, match=r"both declare the setting masthead.server_threads"):
            check_declarations([("news", THREADS), (owner, twin)])


@pytest.mark.parametrize(
    ("parse", "value", "parsed"),
    [
        (text, " a b ", "a b"),
        (words, " a\n  b\tc ", ("a", "b", "c")),
        (words, "", ()),
        (boolean, "True", True),
        (boolean, " no ", False),
        (integer(0, 10), " 7 ", 7),
        (integer(-5, 10), "-5", -5),
        (choice("all", "none"), " ALL ", "all"),
        (url, " https://api.example.org/base/ ", "https://api.example.org/base"),
        (url, "http://[::1]:6543", "http://[::1]:6543"),
        (url, "HTTPS://api.example.org/Base", "https://api.example.org/Base"),
        (url, "", ""),
        (url, "https://api.Bücher.example/", "https://api.xn--bcher-kva.example"),
        (
            url,
            "https://日本。example:8443/a%20ü/~x",
            "https://xn--wgv71a.example:8443/a%20%C3%BC/~x",
        ),
        (url, "https://ü:é@bücher.example", "https://%C3%BC:%C3%A9@xn--bcher-kva.example"),
    ],
)
def test_a_value_is_read(parse: Callable[[str], Any], value: str, parsed: Any) -> None:
    assert parse(value) == parsed


@pytest.mark.parametrize(
    ("parse", "value"),
    [
        (boolean, "maybe"),
        (boolean, " "),
        (base_address, " "),
        (base_address, "api.example.org"),
        (integer(1, 9), ""),
        (integer(1, 9), "1.0"),
        (integer(1, 9), "10"),
        (choice("all", "none"), "some"),
        (url, "api.example.org"),
        (url, "ftp://example.org"),
        (url, "https://"),
        (url, "https://example.org/?x"),
        (url, "https://example.org/#x"),
        (url, "https://exa mple.org"),
        (url, "https://example.org:port"),
        (url, "https://example.org:99999"),
        (url, "https://[::1"),
        (url, "https://[ü]"),
        (url, "https://a..ü.example"),
        (url, "https://☃.example"),
        (url, "https://" + "ü" * 70 + ".example"),
        (folder, " "),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(parse: Callable[[str], Any], value: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(value)


@pytest.mark.parametrize("value", ["nowhere", "https://☃.example", "https://[::1"])
def test_an_invalid_address_is_described(value: str) -> None:
    with pytest.raises(ValueError, match=r"^an address such as https://api\.example\.org$"):
        url(value)


def test_a_folder_is_absolute_from_where_the_program_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert folder("var") == str(tmp_path / "var")
    assert folder("~/var") == str(Path.home() / "var")


def test_settings_are_written_as_a_commented_ini() -> None:
    assert as_ini([THREADS, NAMES]) == (
        "# How many threads.\n# masthead.server.threads = 8\n\n"
        "# Names. More of them.\n# masthead.names = a b\n"
    )


def test_a_setting_may_not_exceed_the_one_that_limits_it() -> None:
    body = Setting("masthead.body", integer(1, 99), "9", "", at_most="masthead.all")
    every = Setting("masthead.all", integer(1, 99), "9", "")
    declared = check_declarations([("core", body), ("core", every)])

    assert contradictions(read_settings(declared, {}, {}), [body, every]) == []
    assert contradictions(read_settings(declared, {"masthead.all": "8"}, {}), [body, every]) == [
        "masthead.body is 9, but masthead.all is only 8; raise masthead.all or lower masthead.body"
    ]
    with pytest.raises(StartError, match=r"the limit of masthead\.body, masthead\.all, is not"):
        check_declarations([("core", body)])


def test_a_deprecated_setting_is_doubtful_only_if_it_is_set() -> None:
    old = Setting("masthead.old", text, "", "", deprecated="use masthead.new")
    declared = check_declarations([("core", old)])

    assert doubts(declared, {}, {"MASTHEAD_CONFIG": "x"}) == []
    assert doubts(declared, {"masthead.old": "1"}, {}) == [
        "masthead.old is deprecated; use masthead.new"
    ]
    assert doubts(declared, {}, {"MASTHEAD_OLD": "1"}) == [
        "MASTHEAD_OLD is deprecated; use masthead.new"
    ]


def test_commas_in_a_list_of_words_are_refused() -> None:
    with pytest.raises(ValueError, match="separated by blanks, without commas"):
        words("news,events")
