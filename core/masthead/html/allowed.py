"""The tags, attributes and addresses that are allowed in pages and in e-mails."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import lru_cache
from typing import Final

import nh3

from masthead.html.editors import EDITOR_ADDRESSES, EDITOR_ATTRIBUTES, EDITOR_TAGS
from masthead.html.markup import (
    ADDRESSES,
    PLACEHOLDER,
    Rebuild,
    Start,
    Starts,
    attributes_of,
    names_in,
    start_tag,
)
from masthead.html.references import escape_value, unescape_references
from masthead.html.styles import mail_declarations, page_declarations

TAGS: Final = names_in(
    """a abbr acronym address article aside audio b bdi bdo big blockquote br caption center cite
    code col colgroup data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2
    h3 h4 h5 h6 header hgroup hr i iframe img ins kbd li main mark menu nav ol p picture pre q rp rt
    ruby s samp search section small source span strike strong sub summary sup table tbody td tfoot
    th thead time tr track tt u ul var video wbr"""
)

_CELL = {"abbr", "bgcolor", "colspan", "headers", "height", "nowrap", "rowspan", "scope", "width"}
_MEDIA = {"controls", "height", "loop", "muted", "playsinline", "poster", "preload", "src", "width"}
# `name` is allowed on links only: the names of images, frames and forms shadow properties of
# `document` (DOM clobbering). Ids don't, and footnotes need them unchanged.
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"align", "class", "dir", "id", "lang", "role", "style", "title", "valign"},
    "a": {"download", "href", "hreflang", "name", "rel", "target", "type"},
    "audio": _MEDIA,
    "blockquote": {"cite"},
    "br": {"clear"},
    "col": {"bgcolor", "span", "width"},
    "colgroup": {"span", "width"},
    "data": {"value"},
    "del": {"cite", "datetime"},
    "details": {"name", "open"},
    "font": {"color", "face", "size"},
    "hr": {"color", "noshade", "size", "width"},
    "iframe": {"allowfullscreen", "height", "loading", "referrerpolicy", "src", "width"},
    "img": {
        *("alt", "border", "decoding", "height", "hspace", "loading", "sizes", "src", "srcset"),
        *("vspace", "width"),
    },
    "ins": {"cite", "datetime"},
    "li": {"type", "value"},
    "ol": {"reversed", "start", "type"},
    "pre": {"width"},
    "q": {"cite"},
    "source": {"height", "media", "sizes", "src", "srcset", "type", "width"},
    "table": {
        *("bgcolor", "border", "cellpadding", "cellspacing", "frame", "height", "rules"),
        *("summary", "width"),
    },
    "tbody": {"bgcolor"},
    "td": _CELL,
    "tfoot": {"bgcolor"},
    "th": _CELL,
    "thead": {"bgcolor"},
    "time": {"datetime"},
    "tr": {"bgcolor", "height"},
    "track": {"default", "kind", "label", "src", "srclang"},
    "ul": {"type"},
    "video": _MEDIA,
}
# Accordions, menus and carousels of letters consist of boxes and labels, without a form.
_MAIL_ATTRIBUTES: dict[str, set[str]] = _ATTRIBUTES | {
    "div": {"background", "bgcolor"},
    "input": {"checked", "name", "type"},
    "label": {"for"},
    "table": _ATTRIBUTES["table"] | {"background"},
    "td": _CELL | {"background"},
    "th": _CELL | {"background"},
}

_PAGE_ATTRIBUTES: dict[str, set[str]] = {
    tag: _ATTRIBUTES.get(tag, set()) | EDITOR_ATTRIBUTES.get(tag, set())
    for tag in (*_ATTRIBUTES, *EDITOR_ATTRIBUTES)
}

PAGE_TAGS: Final = TAGS | EDITOR_TAGS
MAIL_TAGS: Final = (TAGS - {"iframe"}) | {"input", "label"}
_SWITCHES = ("checkbox", "radio")

_SCHEMES = frozenset(("http", "https", "mailto", "tel"))
_SURELY_SAFE = ("https://", "http://", "/", "#")
_IGNORED_IN_URL = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff]+")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*+):")
_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[a-zA-Z0-9+/=\s]*", re.IGNORECASE)
_EMBED = re.compile(r"(?:https?:)?//([a-z0-9.-]+)(/[^\s\\\"'<>`]*)?", re.IGNORECASE)
_PLAIN_LINK = re.compile(r' href="(?:https?://|/|#)[!#-%\'-;=?-~]*"')
"""The attributes of a link whose address is safe and has nothing to escape."""
_LENGTH = re.compile(r"[0-9]{1,5}%?")

_KEPT_DECISIONS = 2_000
"""The number of tags and of attributes whose result is kept, because most texts have the same."""
_LONGEST_KEPT = 200
"""The number of characters of the longest ones."""


def rebuild_embed(given: dict[str, str], hosts: frozenset[str]) -> dict[str, str] | None:
    """Return the attributes of an ``iframe``, rebuilt from host and path; None for other hosts."""
    address = _EMBED.fullmatch(given.get("src", "").strip())
    if address is None or address[1].lower() not in hosts:
        return None
    kept = {"src": f"https://{address[1].lower()}{address[2] or '/'}"}
    kept |= {name: given[name] for name in ("title", "class", "id", "style") if given.get(name)}
    kept |= {name: value for name, value in given.items() if name.startswith("data-")}
    for name in ("width", "height"):
        if _LENGTH.fullmatch(given.get(name, "").strip()):
            kept[name] = given[name].strip()
    if "allowfullscreen" in given:
        kept["allowfullscreen"] = ""
    # Video players refuse to play without the referrer of the embedding site.
    return kept | {"loading": "lazy", "referrerpolicy": "strict-origin-when-cross-origin"}


def rebuild_link(given: dict[str, str], _content: str) -> dict[str, str]:
    """Return the attributes of an ``a``, with ``rel="noopener"`` if it has a target."""
    if "target" not in given or "noopener" in (relations := given.get("rel", "").split()):
        return given
    return given | {"rel": " ".join([*relations, "noopener"])}


def rebuild_input(given: dict[str, str], _content: str) -> dict[str, str] | None:
    """Return the attributes of an ``input``, which can only be a box; None for other kinds."""
    kind = given.get("type", "").strip().lower()
    return given | {"type": kind} if kind in _SWITCHES else None


def clean_mail_attributes(
    tag: str, given: Mapping[str, str], more: frozenset[str]
) -> dict[str, str]:
    """Return the decoded attributes that a tag of an e-mail may have, as ``MAIL`` keeps them.

    ``more`` are the names of further attributes.
    """
    names = _MAIL_ATTRIBUTES["*"] | _MAIL_ATTRIBUTES.get(tag, set()) | more
    kept = {
        name: _MAIL_CHECKS[name](tag, value) if name in _MAIL_CHECKS else value
        for name, value in given.items()
        if name in names or name.startswith("aria-")
    }
    return {name: value for name, value in kept.items() if value is not None}


def is_safe(url: str) -> bool:
    """Whether a browser would read ``url`` as relative or as having an allowed scheme."""
    if url.startswith(_SURELY_SAFE):
        return True
    # A placeholder may expand to nothing, which joins the text around it.
    scheme = _SCHEME.match(_IGNORED_IN_URL.sub("", PLACEHOLDER.sub("", url)))
    return scheme is None or scheme[1].lower() in _SCHEMES


def _address(tag: str, value: str) -> str | None:
    is_allowed = is_safe(value) or (tag == "img" and _PICTURE.fullmatch(value))
    return value if is_allowed else None


def _addresses(_tag: str, value: str) -> str | None:
    return value if all(map(is_safe, value.split(","))) else None


def _mail_address(tag: str, value: str) -> str | None:
    # An e-mail has no base URL whose scheme could apply.
    return f"https:{value}" if value.startswith("//") else _address(tag, value)


def _target(_tag: str, value: str) -> str | None:
    return "_blank" if value.lower() == "_blank" else None


ValueCheck = Callable[[str, str], str | None]
"""Takes the name of a tag and the decoded value of an attribute; returns the value to keep, or None
to drop the attribute."""

_PAGE_CHECKS: dict[str, ValueCheck] = {
    **dict.fromkeys(ADDRESSES, _address),
    **dict.fromkeys(EDITOR_ADDRESSES, lambda _tag, value: value if is_safe(value) else None),
    "srcset": _addresses,
    "style": lambda _tag, value: page_declarations(value),
    "target": _target,
}
"""The checks of the attributes whose values are checked or changed."""
_MAIL_CHECKS: dict[str, ValueCheck] = _PAGE_CHECKS | {
    **dict.fromkeys(ADDRESSES, _mail_address),
    "style": lambda _tag, value: mail_declarations(value),
}


def page_starts(rebuild: Mapping[str, Rebuild], data_attributes: frozenset[str]) -> Starts:
    """Return a function that returns the start tags of pages with the attributes that may stay.

    :param rebuild: functions that rebuild the attributes of some tags; they don't get the content.
    :param data_attributes: the names of further attributes that all elements may have.
    """
    everywhere = _PAGE_ATTRIBUTES["*"] | data_attributes
    names = {tag: everywhere | _PAGE_ATTRIBUTES.get(tag, set()) for tag in PAGE_TAGS}

    def rebuilt(tag: str, given: dict[str, str]) -> dict[str, str] | None:
        return rebuild[tag](given, "") if tag in rebuild else given

    def decide(tag: str, source: str) -> Start | None:
        given = attributes_of(source)
        whole = rebuilt(tag, given) if tag in PAGE_TAGS else None
        if whole is None:
            return None
        rest = _kept(tag, whole, names[tag])
        result = start_tag(tag, rest)
        size = len(result) if rest == whole else len(start_tag(tag, whole))
        if _are_alike(rest, given):
            return Start(tag, result, size, is_settled=True)
        again = rebuilt(tag, rest)
        is_settled = again is not None and _are_alike(_kept(tag, again, names[tag]), rest)
        return Start(tag, result, size, is_settled)

    decided = lru_cache(_KEPT_DECISIONS)(decide)

    def start(tag: str, source: str, _content: str) -> Start | None:
        # Many tags are links to different addresses, with no other attribute.
        if tag == "a" and _PLAIN_LINK.fullmatch(source):
            return Start(tag, f"<a{source}>", len(source) + 3, is_settled=True)
        return (decided if len(source) <= _LONGEST_KEPT else decide)(tag, source)

    return start


def _kept(tag: str, given: dict[str, str], names: Set[str]) -> dict[str, str]:
    """Return those attributes of a page's tag that have one of the names and a value to keep."""
    rest = {}
    for name, value in given.items():
        if name in names or name.startswith("aria-"):
            check = _PAGE_CHECKS.get(name)
            checked = value if check is None else check(tag, value)
            if checked is not None:
                rest[name] = checked
    return rest


def _are_alike(these: dict[str, str], those: dict[str, str]) -> bool:
    """Whether attributes are the same, in the same order."""
    return these == those and list(these) == list(those)


def _cleaner(
    tags: Set[str],
    attributes: dict[str, set[str]],
    checks: Mapping[str, ValueCheck],
    *,
    comments: bool = False,
) -> nh3.Cleaner:
    def check_unescaped(tag: str, name: str, value: str) -> str | None:
        kept = checks[name](tag, unescape_references(value))
        return None if kept is None else escape_value(kept)

    checked = lru_cache(_KEPT_DECISIONS)(check_unescaped)

    def decide(tag: str, name: str, value: str) -> str | None:
        if name not in checks:
            return value
        return (checked if len(value) <= _LONGEST_KEPT else check_unescaped)(tag, name, value)

    return nh3.Cleaner(
        tags=set(tags),
        clean_content_tags={"script", "style"},
        attributes=attributes,
        attribute_filter=decide,
        generic_attribute_prefixes={"aria-"},
        link_rel=None,
        strip_comments=not comments,
        url_schemes={*_SCHEMES, "data"},
    )


@lru_cache(16)
def page_cleaner(data_attributes: frozenset[str]) -> nh3.Cleaner:
    """Return the sanitiser for pages, whose elements may also have the named attributes."""
    attributes = _PAGE_ATTRIBUTES | {"*": _PAGE_ATTRIBUTES["*"] | data_attributes}
    return _cleaner(PAGE_TAGS, attributes, _PAGE_CHECKS)


MAIL: Final = _cleaner(MAIL_TAGS, _MAIL_ATTRIBUTES, _MAIL_CHECKS, comments=True)
