"""The common columns of lists of persons, as mail programs and spreadsheets name them."""

from __future__ import annotations

import re

from masthead.csv.columns import CsvColumn
from masthead.csv.header_names import header_names, joined_names
from masthead.unicode.characters import is_unseen, without_invisible

# Input methods for Chinese, Japanese and Korean write full-width forms of ASCII.
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0x3002: "."}
_MAILTO = re.compile(r"mailto:", re.IGNORECASE)


def split_mailbox(values: dict[str, str]) -> None:
    """Turn the text of ``email`` into an address, and its name into a blank ``name``.

    The text may be ``Rosa Moss <rosa@example.org>`` or a link with ``mailto:``. Invisible
    characters are removed, and full-width letters become ASCII.
    """
    text = values["email"]
    if not text.isascii():
        text = without_invisible(text).translate(_TO_ASCII)
    if "<" in text:
        name, _, rest = text.partition("<")
        address, closed, after = rest.partition(">")
        if closed and "@" in address and not after.strip():
            text = address
            _take_name(values, name)
    if ":" in text:
        text = _without_scheme(text.strip())
    values["email"] = text


def _take_name(values: dict[str, str], text: str) -> None:
    name = text.strip().strip("\"'").strip()
    if name and "@" not in name and is_unseen(values.get("name", "")):
        values["name"] = name


def _without_scheme(text: str) -> str:
    found = _MAILTO.match(text)
    return text[found.end() :].partition("?")[0] if found else text


NAME_COLUMN = CsvColumn(
    "name", header_names("name"), joined=joined_names(), fallbacks=header_names("display")
)
EMAIL_COLUMN = CsvColumn(
    "email", header_names("email", "email2"), first_only=True, amend=split_mailbox
)
