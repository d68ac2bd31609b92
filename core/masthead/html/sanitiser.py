"""The sanitisers for pages and for e-mails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

import nh3

from masthead.html.allowed import (
    MAIL,
    MAIL_TAGS,
    is_safe,
    page_cleaner,
    page_starts,
    rebuild_embed,
    rebuild_link,
)
from masthead.html.editors import attachments, rebuild_check_box, without_attachment
from masthead.html.mail import EmailDocument
from masthead.html.markup import Rebuild, Starts, balance, rebuilt_starts
from masthead.html.references import OPENING_BRACE, restore_references, strip_noncharacters

DEFAULT_EMBED_HOSTS = (
    "archive.org",
    "embed.ted.com",
    "framatube.org",
    "freesound.org",
    "media.ccc.de",
    "open.spotify.com",
    "player.vimeo.com",
    "w.soundcloud.com",
    "www.openstreetmap.org",
    "www.youtube-nocookie.com",
    "www.youtube.com",
)

_MAX_ROUNDS = 12
_BOM = "\ufeff"
_NEWLINES_LOST = re.compile(r"(<pre(?: [^>]*)?>)\n")
_ESCAPED_BRACE = re.compile(
    r"&(?:lbrace;|lcub;|#0*123(?:;|(?!\d))|#[xX]0*7[bB](?:;|(?![\da-fA-F])))"
)


def clean(
    html: str,
    embed_hosts: Sequence[str] = DEFAULT_EMBED_HOSTS,
    data_attributes: Iterable[str] = (),
) -> str:
    """Return ``html`` without scripts, forms, foreign code and styles that leave their box.

    ``embed_hosts`` are the host names whose pages an ``iframe`` may show, and ``data_attributes``
    the names of attributes to keep besides those of known editors. Cleaning the result again
    returns it unchanged. Raises ValueError, with a message for the client, if more than 200
    elements are open at once.
    """
    return _page_sanitiser(tuple(embed_hosts), frozenset(data_attributes))(html)


@lru_cache(16)
def _page_sanitiser(
    embed_hosts: tuple[str, ...], data_attributes: frozenset[str]
) -> Callable[[str], str]:
    hosts = frozenset(host.lower() for host in embed_hosts)
    rebuild: dict[str, Rebuild] = {
        "a": rebuild_link,
        "figure": without_attachment,
        "iframe": lambda attributes, _: rebuild_embed(attributes, hosts),
        "input": rebuild_check_box,
    }
    once = partial(_clean_page, page_cleaner(data_attributes))
    attached = attachments(partial(once, page_starts(rebuild, data_attributes)), is_safe)
    return partial(once, page_starts(rebuild | {"figure": attached}, data_attributes))


def _clean_page(cleaner: nh3.Cleaner, start: Starts, html: str) -> str:
    # The second round usually arrives at the same balanced markup as the first one.
    tidy = lru_cache(1)(partial(_tidy, cleaner))
    html = _text_only(html)
    for _ in range(_MAX_ROUNDS):
        balanced = balance(html, start)
        tidied = tidy(balanced.html)
        before, html = html, restore_references(tidied)
        # Most texts need a single round.
        if html == before or (balanced.is_settled and tidied == balanced.html):
            return html
    raise _too_complex()


def clean_email(html: str) -> str:
    """Return the HTML of an e-mail, a fragment or a document, without scripts and forms.

    Inline styles, ``style`` elements and placeholders (``{{name}}``) stay, conditional comments for
    Outlook too. Other comments are removed. Idempotent, and raises ValueError, as ``clean`` does.
    """
    return _settle(_text_only(html), _clean_email_once)


def _clean_email_once(html: str) -> str:
    document = EmailDocument()
    source = _ESCAPED_BRACE.sub(OPENING_BRACE, html)
    starts = rebuilt_starts(MAIL_TAGS, document.rebuild)
    body = balance(source, starts, document.take_comment, document.ends)
    return document.assemble(restore_references(_tidy(MAIL, body.html)))


def _tidy(cleaner: nh3.Cleaner, balanced: str) -> str:
    # Parsers drop the first newline of a `pre`, and nh3 doesn't write it again.
    # They drop a byte order mark at the start as well; dropping all at once settles sooner.
    cleaned = cleaner.clean(balanced.lstrip(_BOM))
    return _NEWLINES_LOST.sub(r"\1\n\n", cleaned) if "<pre" in cleaned else cleaned


def _text_only(html: str) -> str:
    """Return ``html`` with normalised newlines, without NUL and lone surrogates."""
    try:
        encoded = html.encode()
    except UnicodeEncodeError:
        encoded = html.encode("utf-8", "replace")
        html = encoded.decode()
    # Searching bytes is several times faster.
    if b"\r" in encoded:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    if b"\0" in encoded:
        html = html.replace("\0", "")
    return strip_noncharacters(html)


def _settle(html: str, once: Callable[[str], str]) -> str:
    """Repeat ``once`` until the result is stable, which usually takes two rounds."""
    for _ in range(_MAX_ROUNDS):
        before, html = html, once(html)
        if html == before:
            return html
    raise _too_complex()


def _too_complex() -> ValueError:
    return ValueError("HTML is too complex to be sanitised")
