"""The elements and attributes by which editors recognise their own HTML.

Editors such as Quill and TipTap store the kind of a list item, the state of its check box or the
source of a formula in attributes. Browsers give them no meaning, but scripts of websites may act on
attributes, so each one is listed here or in a setting.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import orjson

from masthead.html.markup import Rebuild, names_in
from masthead.html.references import strip_noncharacters

EDITOR_TAGS: Final = names_in("input label oembed")

_NODE = {"data-id", "data-label", "data-mention-suggestion-char", "data-name", "data-type"}
_CELL = {"colwidth", "data-row"}
_ITEM = {"data-checked", "data-is-checklist", "data-list", "data-list-item-id", "data-type"}
_LIST = {"data-checked", "data-is-checklist", "data-type"}
_CODE = {"data-highlight-language", "data-language", "data-theme"}
_TABLE = {"data-lexical-frozen-column", "data-lexical-frozen-row", "data-lexical-row-striping"}
EDITOR_ATTRIBUTES: Final[dict[str, set[str]]] = {
    "blockquote": {"data-lexical-tweet-id"},
    "code": _CODE,
    "div": {
        *("data-latex", "data-oembed-url", "data-twitch-video", "data-type", "data-youtube-video"),
        *("data-lexical-tweet-id", *_CODE),
    },
    "figure": {"data-trix-attachment", "data-trix-attributes", "data-trix-content-type"},
    "iframe": {"data-lexical-youtube"},
    "input": {"checked", "disabled", "type"},
    "li": _ITEM,
    "mark": {"data-color"},
    "oembed": {"url"},
    "ol": _LIST,
    "p": {"data-list-item-id"},
    "pre": _CODE,
    "span": {
        *("data-latex", "data-mention", "data-mention-uid", "data-value"),
        *("data-lexical-equation", "data-lexical-inline", *_NODE),
    },
    "table": _TABLE,
    "td": _CELL,
    "th": _CELL,
    "ul": _LIST,
}
"""The attributes of pages for the HTML of Quill 2, TipTap 3, Trix 2, CKEditor 5 and Lexical."""

EDITOR_ADDRESSES: Final = frozenset(("data-oembed-url", "url"))
"""The attributes among them that hold an address."""

_JSON = ("data-trix-attachment", "data-trix-attributes")
_JSON_ADDRESSES = frozenset(("href", "previewURL", "src", "url"))
_WORD = re.compile(r"[a-z0-9-]+")
# Attributes on which common libraries act: htmx, Bootstrap, Turbo, Stimulus, Alpine, Vue, Angular,
# Datastar, Unpoly, jQuery UJS, RequireJS, Trix, and others that load, insert or submit.
_ACTING = re.compile(
    r"""data-(?:
    (?:hx|sse|ws|bs|x|v|ng|up|wp|mdb|uk|parsley|lightbox|fancybox|trix|ajax)(?:-.*)?
    | on.* | turbo.* | .+-(?:target|outlet|param|value|action|class)
    | action|attr(?:-.*)?|bind(?:-.*)?|class-.*|computed(?:-.*)?|confirm|content|controller|dismiss
    | disable-with|effect|form(?:-.*)?|href|html|indicator|init|main|method|params|parent|persist
    | provide|ref|remote|ride|show|signals(?:-.*)?|slide(?:-.*)?|spy|src|srcdoc|srcset|style(?:-.*)?
    | submit|target|template|text|toggle|trigger|url|with
    )""",
    re.VERBOSE,
)


def data_names(value: str) -> tuple[str, ...]:
    """Parse the names of further ``data-*`` attributes.

    :raises ValueError: for another word, and for an attribute on which a script may act.
    """
    names = tuple(value.split())
    for name in names:
        if not (name.startswith("data-") and _WORD.fullmatch(name[5:])):
            raise ValueError("names such as data-task data-task-id, separated by blanks")
        if _ACTING.fullmatch(name):
            raise ValueError(f"attributes on which no script acts, so not {name}")
    return names


def rebuild_check_box(given: dict[str, str], _content: str) -> dict[str, str] | None:
    """Return the attributes of the box of a check list, disabled; None for another ``input``."""
    if given.get("type", "").strip().lower() != "checkbox":
        return None
    kept = {name: given[name] for name in ("class", "style") if name in given}
    state = {"checked": ""} if "checked" in given else {}
    return {"type": "checkbox", **kept, "disabled": "", **state}


def without_attachment(given: dict[str, str], _content: str) -> dict[str, str]:
    """Return the attributes of a ``figure`` inside an attachment of Trix, which has none itself."""
    return {name: value for name, value in given.items() if name not in _JSON}


def attachments(clean: Callable[[str], str], is_safe: Callable[[str], bool]) -> Rebuild:
    """Return a function that checks the JSON of Trix in the attributes of a ``figure``.

    Trix makes links and images of the addresses in it, and displays the HTML in its ``content``.

    :param clean: sanitises HTML.
    :param is_safe: whether an address may be that of a link.
    """

    def checked(given: dict[str, str], _content: str) -> dict[str, str]:
        found = {name: _checked(given[name], clean, is_safe) for name in _JSON if name in given}
        return {
            name: found.get(name) or value
            for name, value in given.items()
            if found.get(name, value) is not None
        }

    return checked


def _checked(
    source: str, clean: Callable[[str], str], is_safe: Callable[[str], bool]
) -> str | None:
    """Return the checked JSON of a flat object; None for anything else."""
    try:
        value = orjson.loads(source)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(value, dict):
        return None

    def kept(name: str, value: Any) -> Any:
        if name == "content":
            return clean(value) if isinstance(value, str) else None
        if name in _JSON_ADDRESSES and not (isinstance(value, str) and is_safe(value)):
            return None
        return None if isinstance(value, dict | list) else value

    pairs = {name: kept(name, each) for name, each in value.items()}
    present = {name: each for name, each in pairs.items() if each is not None}
    # JSON may have them as escapes.
    return strip_noncharacters(orjson.dumps(present).decode())
