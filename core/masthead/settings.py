"""Settings: declared beside the code that uses them, read from ini file and environment."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import punctuation
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import idna

from masthead.errors import StartError
from masthead.faults import CORE, refusal
from masthead.plugins import check_unique

T = TypeVar("T")

PREFIX = "masthead."
CONFIG_VARIABLE = "MASTHEAD_CONFIG"
"""The environment variable with the path of the configuration file."""
_TOKEN = re.compile("[!-~]{20,}")
_SEPARATORS = re.compile("[._-]")
_FOREIGN = re.compile(r"use|filter-with|(?:paste|pyramid)\..+")
"""Keys of an ini section that PasteDeploy and Pyramid know."""
_LIKE_PREFIX, _LIKE_NAME = 0.8, 0.85
"""How similar a name is to the prefix, or to the name of a setting, if it is a misspelt one."""
ENVIRONMENT, FILE, DEFAULT = "environment", "file", "default"
"""The sources of a setting's value; the first source with a value counts."""


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A setting of an instance."""

    name: str
    """The full name in the ini file, ``masthead.<plugin or area>.<name>``."""
    parse: Callable[[str], T]
    """Converts the text to the value; raises ``ValueError`` with a description of valid values."""
    default: str
    """The text of the default value."""
    help: str
    """One or two sentences for deployers."""
    secret: bool = False
    """Whether the value must not be printed."""
    shows: bool = True
    """Whether public answers may depend on it; use False only if none does."""
    at_most: str = ""
    """The name of a setting whose value must not be less than the value of this one."""
    deprecated: str = ""
    """The instruction for deployers who still set it; blank for a current setting."""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return self.name.upper().replace(".", "_")


def text(value: str) -> str:
    """Parse any text; surrounding blanks are removed."""
    return value.strip()


def words(value: str) -> tuple[str, ...]:
    """Parse words separated by blanks or newlines.

    :raises ValueError: for a comma, which is a mistake in a list of words.
    """
    if "," in value:
        raise ValueError("words that are separated by blanks, without commas")
    return tuple(value.split())


def boolean(value: str) -> bool:
    """Parse ``true`` or ``false``; ``yes``/``no``, ``on``/``off`` and ``1``/``0`` work too."""
    folded = value.strip().lower()
    if folded in ("true", "yes", "on", "1"):
        return True
    if folded in ("false", "no", "off", "0"):
        return False
    raise ValueError("true or false")


def integer(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``minimum`` to ``maximum``."""

    def parse(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = minimum - 1
        if not minimum <= number <= maximum:
            raise ValueError(f"a whole number from {minimum} to {maximum}")
        return number

    return parse


def choice(*options: str) -> Callable[[str], str]:
    """Return a parser that accepts one of these words."""

    def parse(value: str) -> str:
        word = value.strip().lower()
        if word not in options:
            raise ValueError("one of " + ", ".join(options))
        return word

    return parse


def url(value: str) -> str:
    """Parse an ``http`` or ``https`` address; a trailing slash is removed, blank stays blank.

    :returns: the address in ASCII, as headers require: the host in DNS form (UTS 46), other
        characters percent-encoded.
    """
    address = value.strip().rstrip("/")
    try:
        return _base(address) if address else ""
    except ValueError:
        raise ValueError("an address such as https://api.example.org") from None


def _base(address: str) -> str:
    parts = urlsplit(address)
    known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    if not known or re.search(r"[\s\\?#]", address):
        raise ValueError(address)
    user, at, place = parts.netloc.rpartition("@")
    host, colon, port = place.partition(":")
    if not host.isascii():
        host = idna.encode(host, uts46=True).decode()
    in_ascii = f"{parts.scheme}://{user}{at}{host}{colon}{port}{parts.path}"
    return quote(in_ascii, safe=punctuation)


def token(value: str) -> str:
    """Parse a secret that a program sends in a header; a blank one is none.

    :raises ValueError: if it is short, or a client can't send it.
    """
    value = value.strip()
    if value and not _TOKEN.fullmatch(value):
        raise ValueError("at least 20 letters, digits or signs without blanks")
    return value


def folder(value: str) -> str:
    """Parse the path of a folder and make it absolute, relative to the working directory."""
    if not value.strip():
        raise ValueError("a folder")
    return str(Path(value.strip()).expanduser().absolute())


class Settings:
    """The values in force; the type of ``settings[SETTING]`` is that of the declaration."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, setting: Setting[T]) -> T:
        value: T = self._values[setting.name]
        return value

    def value(self, name: str) -> Any:
        """Return the value of the setting with a name."""
        return self._values[name]


def check_declarations(owned: Sequence[tuple[str, Setting[Any]]]) -> dict[str, Setting[Any]]:
    """Return declared settings by name.

    :param owned: pairs of plugin name and setting.
    :raises StartError: if two have the same name or the same environment variable, one of a plugin
        lacks the prefix, or the limit of one is unknown.
    """
    found = check_unique(owned, lambda it: it.variable, lambda it: f"the setting {it.name}")
    for owner, setting in owned:
        if owner != CORE and not setting.name.startswith(f"{PREFIX}{owner}."):
            wanted = f"{PREFIX}{owner}.…"
            raise refusal(owner, f"its setting {setting.name} must be named {wanted}")
    by_name = {setting.name: setting for setting in found}
    for each in found:
        if each.at_most and each.at_most not in by_name:
            raise StartError(f"the limit of {each.name}, {each.at_most}, is not declared")
    return by_name


def read_settings(
    declared: Mapping[str, Setting[Any]],
    ini: Mapping[str, str],
    environ: Mapping[str, str],
    disabled: Collection[str] = (),
) -> Settings:
    """Read each declared setting from the environment, the ini file or its default.

    Keys of the ini file that don't look like a setting are ignored.

    :param disabled: the names of installed plugins that aren't imported. Their keys are accepted
        unread.
    :raises StartError: for an unknown key with the prefix ``masthead.`` or a misspelt one, for a
        setting without the prefix, or for an invalid value.
    """
    for key in unknown_keys(declared, ini, disabled):
        if _is_misspelt(key, declared):
            raise StartError(f"unknown setting {key}{_guess(key, declared)}")
    return Settings({s.name: read_setting(s, ini, environ) for s in declared.values()})


def unknown_keys(
    declared: Mapping[str, Setting[Any]], ini: Mapping[str, str], disabled: Collection[str] = ()
) -> list[str]:
    """Return the keys of an ini section that nothing reads.

    :param disabled: the names of installed plugins that aren't imported.
    """
    others = tuple(f"{PREFIX}{name}." for name in disabled)
    found = (key for key in ini if key not in declared and not _FOREIGN.fullmatch(key))
    return [key for key in found if not key.startswith(others)]


def unknown_variables(
    declared: Mapping[str, Setting[Any]], environ: Mapping[str, str], disabled: Collection[str] = ()
) -> list[str]:
    """Return the environment variables with a prefix like ``MASTHEAD_`` that match no setting.

    :param disabled: the names of installed plugins that aren't imported.
    """
    known = {CONFIG_VARIABLE, *(setting.variable for setting in declared.values())}
    others = tuple(f"MASTHEAD_{name.upper()}_" for name in disabled)
    found = (v for v in environ if v not in known and _has_our_prefix(v))
    return sorted(v for v in found if not v.startswith(others))


def doubts(
    declared: Mapping[str, Setting[Any]],
    ini: Mapping[str, str],
    environ: Mapping[str, str],
    disabled: Collection[str] = (),
) -> list[str]:
    """Return a line about each unknown key or variable, and each deprecated setting with a value.

    :param disabled: the names of installed plugins that aren't imported.
    """
    variables = [setting.variable for setting in declared.values()]
    lines = [
        f"Nothing reads the key {each} of the configuration file{_guess(each, declared)};"
        " variables for %(…)s belong to [DEFAULT]"
        for each in unknown_keys(declared, ini, disabled)
    ]
    lines += [
        f"The environment variable {each} is set, but there is no such"
        f" setting{_guess(each, [*variables, CONFIG_VARIABLE])}"
        for each in unknown_variables(declared, environ, disabled)
    ]
    for setting in declared.values():
        source, _ = given(setting, ini, environ)
        if setting.deprecated and source != DEFAULT:
            name = setting.variable if source == ENVIRONMENT else setting.name
            lines.append(f"{name} is deprecated; {setting.deprecated}")
    return lines


def contradictions(settings: Settings, declared: Iterable[Setting[Any]]) -> list[str]:
    """Return a line with the remedy for each setting that exceeds the one that limits it."""
    return [
        f"{each.name} is {settings[each]}, but {each.at_most} is only"
        f" {settings.value(each.at_most)}; raise {each.at_most} or lower {each.name}"
        for each in declared
        if each.at_most and settings[each] > settings.value(each.at_most)
    ]


def as_ini(declared: Iterable[Setting[Any]]) -> str:
    """Return the settings as commented lines of an ini section, with help and defaults."""
    blocks = []
    for setting in declared:
        lines = [f"# {line}" for line in _wrapped(setting.help)]
        value = " ".join(setting.default.split())
        blocks.append("\n".join([*lines, f"# {setting.name} = {value}".rstrip()]))
    return "\n\n".join(blocks) + "\n"


def given(
    setting: Setting[Any], ini: Mapping[str, str], environ: Mapping[str, str]
) -> tuple[str, str]:
    """Return the source of a setting's value in force, and its text."""
    if setting.variable in environ:
        return ENVIRONMENT, environ[setting.variable]
    if setting.name in ini:
        return FILE, ini[setting.name]
    return DEFAULT, setting.default


def read_setting(setting: Setting[T], ini: Mapping[str, str], environ: Mapping[str, str]) -> T:
    """Return the value of a setting.

    :raises StartError: for an invalid one.
    """
    source, raw = given(setting, ini, environ)
    default = f"the default of {setting.name}"
    where = {ENVIRONMENT: setting.variable, FILE: setting.name, DEFAULT: default}[source]
    try:
        return setting.parse(raw)
    except ValueError as error:
        got = "" if setting.secret else f", got {raw.strip()!r}"
        raise StartError(f"{where}: expected {error}{got}") from None


def _is_misspelt(key: str, declared: Iterable[str]) -> bool:
    """Whether a key is most likely meant to be a setting, so that its value is missed."""
    if _has_our_prefix(key):
        return True
    return bool(difflib.get_close_matches(_words_of(key), _by_words(declared), 1, _LIKE_NAME))


def _has_our_prefix(name: str) -> bool:
    first = _words_of(name).partition(".")[0]
    return bool(difflib.get_close_matches(PREFIX[:-1], [first], cutoff=_LIKE_PREFIX))


def _by_words(names: Iterable[str]) -> dict[str, str]:
    """Return names by their words, and by those after the prefix."""
    found = {_words_of(name): name for name in names}
    return found | {words.removeprefix(PREFIX): name for words, name in found.items()}


def _words_of(name: str) -> str:
    """Return a name in lower case, with a dot between all words."""
    return _SEPARATORS.sub(".", name.lower())


def _guess(name: str, known: Iterable[str]) -> str:
    by_words = _by_words(known)
    close = difflib.get_close_matches(_words_of(name), by_words, n=1)
    return f"; did you mean {by_words[close[0]]}?" if close else ""


def _wrapped(help_text: str) -> list[str]:
    return textwrap.wrap(help_text, 96)
