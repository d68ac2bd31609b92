"""The CSS that is allowed in ``style`` attributes of pages and in the styles of e-mails."""

from __future__ import annotations

import re
from collections.abc import Callable

from masthead.html.markup import PLACEHOLDER, names_in

_BORDERS = [
    f"border{side}{part}"
    for side in ("", "-top", "-right", "-bottom", "-left")
    for part in ("", "-color", "-style", "-width")
]
_PROPERTIES = names_in(
    """aspect-ratio background background-color border-collapse border-radius border-spacing
    box-sizing break-after break-before break-inside caption-side clear color column-count
    column-gap columns direction display empty-cells float font font-family font-size font-style
    font-variant font-weight gap height hyphens letter-spacing line-height list-style
    list-style-position list-style-type margin margin-bottom margin-left margin-right margin-top
    max-height max-width min-height min-width object-fit opacity overflow overflow-wrap
    overflow-x overflow-y padding padding-bottom padding-left padding-right padding-top
    page-break-after page-break-before page-break-inside table-layout text-align text-decoration
    text-decoration-color text-decoration-line text-decoration-style text-indent text-transform
    unicode-bidi vertical-align white-space width word-break word-spacing word-wrap
    """
).union(_BORDERS)

# No URLs, escapes, comments, functions other than colours, or negative numbers: a negative margin
# or indent moves a box over its neighbours.
_PLAIN = re.compile(r"(?:[\w\s#%.,'\"+!/]|-(?![\d.])|\b(?:rgba?|hsla?)\([\d\s.,%/]*+\))+")

_FORBIDDEN = re.compile(
    r"""(?:expression\s*\(|(?:java|vb)script\s*:|behaviou?r\s*:|-moz-binding
    |position\s*:\s*(?:absolute|fixed|(?:-webkit-)?sticky)|(?<![\w-])position\s*:\s*[\w-]*\(
    |(?:url|src|image)\s*\((?!\s*['"]?https?://)|image-set\s*\()[^;{}]*""",
    re.IGNORECASE | re.VERBOSE,
)
_IMPORT = re.compile(r"@(?:import|charset|namespace)\b[^;{}]*;?", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?)?")
# A placeholder after "<" may expand to nothing, and the text behind it then completes a tag.
_MARKUP = re.compile(r"<(?=[/!?a-zA-Z{])|-->")


def page_declarations(style: str) -> str | None:
    """Return the declarations that load nothing and stay in their box; None if none is left."""
    return _kept(style, _may_stay_in_page)


def mail_declarations(style: str) -> str | None:
    """Return the declarations without scripts, URLs other than http(s), and positioned boxes."""
    return _kept(_without_comments(style), _may_stay_in_mail)


def mail_sheet(css: str) -> str:
    """Return the style sheet without imports, URLs other than http(s), and tags."""
    css = _without_comments(css)
    css = _ESCAPE.sub(_harmless_escape, css)
    css = _IMPORT.sub("", css)
    css = _FORBIDDEN.sub("none", css)
    if _FORBIDDEN.search(PLACEHOLDER.sub("", css)):
        css = PLACEHOLDER.sub("", css)
    return _MARKUP.sub("", css)


def _without_comments(css: str) -> str:
    css = _COMMENT.sub("", css)
    # A comment may start around a placeholder that expands to nothing.
    bare = PLACEHOLDER.sub("", css)
    return _COMMENT.sub("", bare) if "/*" in bare else css


def _kept(style: str, may_stay: Callable[[str], bool]) -> str | None:
    declarations = style.split(";")
    kept = [part for part in declarations if not part.strip() or may_stay(part)]
    if len(kept) == len(declarations):
        return style if style.strip("; \t\n\f") else None
    return ";".join(kept).strip() or None


def _may_stay_in_page(declaration: str) -> bool:
    name, colon, value = declaration.partition(":")
    return bool(colon) and name.strip().lower() in _PROPERTIES and bool(_PLAIN.fullmatch(value))


def _may_stay_in_mail(declaration: str) -> bool:
    visible = PLACEHOLDER.sub("", declaration)
    return ":" in declaration and "\\" not in visible and not _FORBIDDEN.search(visible)


def _harmless_escape(escape: re.Match[str]) -> str:
    # Escaped ASCII characters serve only to disguise a forbidden word.
    return escape[0] if escape[1] and int(escape[1], 16) > 0x7F else ""
