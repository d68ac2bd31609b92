"""Text of the worst kind: every parser of clients' text takes time in proportion to its length."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import colander
import pytest

from masthead import Invalid, change_links, fold, fold_name, plain_text
from masthead.csv import NAME_COLUMN, CsvReader
from masthead.db.slugs import slug_base
from masthead.html import clean, clean_email
from masthead.html.styles import mail_declarations, mail_sheet, page_declarations
from masthead.instance import Instance
from masthead.schemas.email_addresses import normalize_address
from masthead.schemas.field_types import FieldType
from masthead.schemas.foreign_times import read_foreign_time
from masthead.schemas.schema import ListOf, Nullable, Object, bound
from masthead.search.tokens import index_text, parse_query
from masthead.unicode.lookalikes import skeletons
from masthead.unicode.normalization import normalized
from masthead.unicode.ordering import sort_key
from masthead_crm.columns import split_tags
from masthead_email.rendering import headers, placeholders, quoted_printable, rendered_message
from masthead_email.rendering.link_placeholders import repair_links
from masthead_events.calendar import clean_text
from masthead_feeds import xml

pytestmark = pytest.mark.any_database

Parse = Callable[[str], Any]

LONG, SHORT = 64 * 1024, 8 * 1024
NOTICEABLE = 0.05
"""The seconds from which a ratio of times says anything."""
ENDS = ["", "x", "\x01", ">"][: int(os.environ.get("MASTHEAD_TEST_ENDS", "1"))]
"""The ends of repeated texts."""
WORST_RATIO = 24
"""Eight times the text takes eight times as long, or 64 times if the cost is quadratic."""
# Units whose repetition was or could be expensive, for normal forms and for patterns.
WORST = ["a", " ", "\u0315\u0300", "\uff9e\u0301", "\u00a0", "\u00ad", "<p ", "&#1", '"', "{{"]
MORE = [
    "\ufeff", "»", "0", "\t", "\n", "\r", "\x0b", "\u2028", "\u0344", "\u0301\u034f", "<", "</",
    ">", "<a",
    "<p>", "</p>", "<b>", "<td>", "<table>", "<!--", "-->", "<!", "<?", "<style>", "<title>",
    "<svg>", "&", "&#x", "&amp", "&amp;", ";", "/", "//", "/*", "*/", "{{a", "}}", "{", "}", "(",
    ")", "[", "]", "'", "''", "=", ",", ":", "-", ".", "..", "@", "a@", "a.", "a-", "\\", "%", "#",
    "?", "!", "url(", "rgb(", "expression(", "position:", 'a="', "a b", "é", "ß", "क", "長", "각",
    "☃", "\u200b", "\u200d", "<li>", "http://", "data:image/png;base64,", " ::: ", '""', '",',
    "sep=", "<pre>\n", "@import", "\x1b",
]  # fmt: skip


def quoted(tag: str, attribute: str) -> Parse:
    """Return a parser of the text as an attribute's value."""
    return lambda text: clean(f'<{tag} {attribute}="{text.replace(chr(34), chr(39))}">x')


def read_csv(text: str) -> list[Any]:
    file = BytesIO(f"name,email\n{text}".encode("utf-8", "replace"))
    return list(CsvReader(file, [NAME_COLUMN]))


PARSERS: dict[str, Parse] = {
    "change_links": lambda text: change_links(text, str),
    "clean": clean,
    "clean_email": clean_email,
    "clean_email of a comment": lambda text: clean_email(f"<!--[if mso]>{text}<![endif]-->"),
    "clean href": quoted("a", "href"),
    "clean srcset": quoted("img", "srcset"),
    "clean style": quoted("p", "style"),
    "clean_text of calendars": clean_text,
    "csv": read_csv,
    "encode": quoted_printable.encode,
    "escape": xml.escape,
    "fold": fold,
    "fold_name": fold_name,
    "index_text": index_text,
    "mail_declarations": mail_declarations,
    "mail_sheet": mail_sheet,
    "names of placeholders": placeholders.names,
    "placeholders of a header": placeholders.parse_header,
    "placeholders of html": lambda text: placeholders.parse_html(clean_email(text)),
    "placeholders of text": placeholders.parse_plain,
    "repair_links": lambda text: repair_links(f'<a href="{text.replace(chr(34), "")}">'),
    "NFKD": lambda text: normalized(text, "NFKD"),
    "normalize_address": normalize_address,
    "one_line": headers.one_line,
    "page_declarations": page_declarations,
    "parse_query": parse_query,
    "plain_part": rendered_message.plain_part,
    "plain_text": plain_text,
    "read_foreign_time": lambda text: read_foreign_time(f"2024-01-01{text}"),
    "skeletons": skeletons,
    "slug_base": slug_base,
    "sort_key": sort_key,
    "split_tags": split_tags,
}


@pytest.fixture
def parsers(instance: Instance) -> dict[str, Parse]:
    """The parsers, and every field type of every body and query."""
    found: dict[str, Parse] = dict(PARSERS)
    for endpoint in instance.endpoints:
        body = endpoint.body if endpoint.body is not None else colander.Schema()
        for kind in kinds_in(bound(body, instance.settings)):
            found.setdefault(f"{type(kind).__name__} {vars(kind)}", kind.parse)
        for node in endpoint.parameters.children:
            found.setdefault(f"{type(node.typ).__name__} read", node.typ.read)
    return found


def kinds_in(node: colander.SchemaNode) -> Iterator[FieldType]:
    """Yield the field types of a schema, inside lists and objects too."""
    for child in node.children:
        kind = child.typ
        while isinstance(kind, Nullable | ListOf):
            kind = kind.inner
        if isinstance(kind, Object):
            yield from kinds_in(kind.node)
        else:
            yield kind


def seconds(parse: Parse, text: str) -> float:
    """Return the processor time of parsing a text, whether or not it is accepted."""
    start = time.process_time()
    with suppress(ValueError, Invalid):
        parse(text)
    return time.process_time() - start


def is_linear(parse: Parse, unit: str, end: str) -> bool:
    """Whether eight times the text takes about eight times as long, at one of a few attempts."""
    long, short = (unit * (size // len(unit)) + end for size in (LONG, SHORT))
    for _ in range(4):
        spent = seconds(parse, long)
        if spent < NOTICEABLE or spent < WORST_RATIO * seconds(parse, short):
            return True
    return False


@pytest.mark.slow
def test_the_worst_known_text_takes_linear_time(parsers: dict[str, Parse]) -> None:
    assert len(parsers) > len(PARSERS) + 20

    slow = [
        (name, unit)
        for name, parse in parsers.items()
        for unit in WORST
        if not is_linear(parse, unit, "x")
    ]

    assert slow == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("end", ENDS)
def test_any_repeated_text_takes_linear_time(parsers: dict[str, Parse], end: str) -> None:
    slow = [
        (name, unit)
        for name, parse in parsers.items()
        for unit in (*WORST, *MORE)
        if not is_linear(parse, unit, end)
    ]

    assert slow == []
