"""Settings: declared once beside the code that uses them, read once from ini and environment."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import punctuation
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import idna

from masthead.errors import StartError
from masthead.plugins import check_unique

T = TypeVar("T")

PREFIX = "masthead."
ENVIRONMENT, FILE, DEFAULT = "environment", "file", "default"
"""Where a setting's value may come from; the first that has one counts."""


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One setting of an instance."""

    name: str
    """Full name as in the ini file, ``masthead.<plugin or area>.<name>``."""
    parse: Callable[[str], T]
    """Turns the text into the value; raises ``ValueError`` with what was expected."""
    default: str
    """The text that stands where nobody sets it."""
    help: str
    """One or two sentences for a deployer."""
    secret: bool = False
    """Whether the value must never be printed."""
    shows: bool = True
    """Whether what the public reads may depend on it; False where it surely doesn't."""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return self.name.upper().replace(".", "_")


def text(value: str) -> str:
    """Any text, blanks around it dropped."""
    return value.strip()


def words(value: str) -> tuple[str, ...]:
    """Words separated by blanks or line ends."""
    return tuple(value.split())


def boolean(value: str) -> bool:
    """``true`` or ``false``."""
    folded = value.strip().lower()
    if folded in ("true", "yes", "on", "1"):
        return True
    if folded in ("false", "no", "off", "0"):
        return False
    raise ValueError("true or false")


def integer(minimum: int, maximum: int) -> Callable[[str], int]:
    """A whole number from ``minimum`` to ``maximum``."""

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
    """One of the words given."""

    def parse(value: str) -> str:
        word = value.strip().lower()
        if word not in options:
            raise ValueError("one of " + ", ".join(options))
        return word

    return parse


def url(value: str) -> str:
    """An ``http`` or ``https`` address, without its trailing slash; blank stays blank.

    :returns: in ASCII, as headers take it: host as DNS has it (UTS 46), all else percent-encoded.
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


def folder(value: str) -> str:
    """A folder, made absolute from where the program was started."""
    if not value.strip():
        raise ValueError("a folder")
    return str(Path(value.strip()).expanduser().absolute())


class Settings:
    """The values in force; ``settings[SETTING]`` is typed by the declaration."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, setting: Setting[T]) -> T:
        value: T = self._values[setting.name]
        return value


def check_declarations(owned: Sequence[tuple[str, Setting[Any]]]) -> dict[str, Setting[Any]]:
    """Gather declared settings by name.

    :param owned: pairs of the declaring plugin's name and the setting.
    :raises StartError: when two plugins declare the same name or the same variable.
    """
    found = check_unique(owned, lambda it: it.variable, lambda it: f"the setting {it.name}")
    return {setting.name: setting for setting in found}


def read_settings(
    declared: Mapping[str, Setting[Any]],
    ini: Mapping[str, str],
    environ: Mapping[str, str],
) -> Settings:
    """Read each declared setting from the environment, else the ini, else its default.

    Keys of the ini without the ``masthead.`` prefix belong to others and are left alone.

    :raises StartError: for an unknown ``masthead.`` key or a value that can't be used.
    """
    for key in ini:
        if key.startswith(PREFIX) and key not in declared:
            raise StartError(f"unknown setting {key}{_guess(key, declared)}")
    return Settings({s.name: _value(s, ini, environ) for s in declared.values()})


def unknown_variables(
    declared: Mapping[str, Setting[Any]], environ: Mapping[str, str]
) -> list[str]:
    """``MASTHEAD_`` variables that set nothing, to warn of."""
    known = {setting.variable for setting in declared.values()}
    return sorted(v for v in environ if v.startswith("MASTHEAD_") and v not in known)


def as_ini(declared: Iterable[Setting[Any]]) -> str:
    """The settings as lines of an ini section, each commented with its help and default."""
    blocks = []
    for setting in declared:
        lines = [f"# {line}" for line in _wrapped(setting.help)]
        value = " ".join(setting.default.split())
        blocks.append("\n".join([*lines, f"# {setting.name} = {value}".rstrip()]))
    return "\n\n".join(blocks) + "\n"


def given(
    setting: Setting[Any], ini: Mapping[str, str], environ: Mapping[str, str]
) -> tuple[str, str]:
    """Where the value of a setting that is in force comes from, and its text."""
    if setting.variable in environ:
        return ENVIRONMENT, environ[setting.variable]
    if setting.name in ini:
        return FILE, ini[setting.name]
    return DEFAULT, setting.default


def _value(setting: Setting[Any], ini: Mapping[str, str], environ: Mapping[str, str]) -> Any:
    source, raw = given(setting, ini, environ)
    where = {ENVIRONMENT: setting.variable, FILE: setting.name, DEFAULT: "its default"}[source]
    try:
        return setting.parse(raw)
    except ValueError as error:
        got = "" if setting.secret else f", got {raw.strip()!r}"
        raise StartError(f"{where}: expected {error}{got}") from None


def _guess(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _wrapped(help_text: str) -> list[str]:
    return textwrap.wrap(help_text, 96)
