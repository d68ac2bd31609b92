"""The page: the document in HTML, with a style sheet and a script that its policy names."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from masthead.schemas.field_types import MAX_ID

if TYPE_CHECKING:
    from markupsafe import Markup

_FOLDER = files(__package__)
_STYLE = _FOLDER.joinpath("reference.css").read_text("utf-8")
_SCRIPT = _FOLDER.joinpath("reference.js").read_text("utf-8")
_ASKING = _FOLDER.joinpath("asking.js").read_text("utf-8")
_CODE = re.compile(r"`([^`]+)`")
_SCHEMAS = "#/components/schemas/"
_RESPONSES = "#/components/responses/"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY = (
    f"default-src 'none'; style-src {_digest(_STYLE)}; script-src {_digest(_SCRIPT)};"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of the page: its own style sheet and script, no request, and no frame around it."""
ASKING_POLICY = POLICY.replace("script-src", f"connect-src 'self'; script-src {_digest(_ASKING)}")
"""The policy of the page that asks for a token, and that the reference replaces afterwards."""


def render(document: dict[str, Any]) -> str:
    """Return an OpenAPI document as a page of HTML."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"prose": prose, "kind": kind_of, "json": _as_json}
    template = environment.from_string(_FOLDER.joinpath("reference.html").read_text("utf-8"))
    return template.render(
        document=document,
        groups=_groups(document),
        schemas=document["components"]["schemas"],
        example_of=lambda schema: _example(schema, document["components"]["schemas"]),
        style=_marked(_STYLE),
        script=_marked(_SCRIPT),
    )


def render_asking() -> str:
    """Return the page that asks for a token, with which a script loads the reference."""
    page = _FOLDER.joinpath("asking.html").read_text("utf-8")
    return page.replace("{style}", _STYLE).replace("{script}", _ASKING)


def _groups(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the groups of the document, each with its operations by path and method."""
    found: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            responses = _resolved(operation["responses"], document)
            described = {
                **operation,
                "path": path,
                "method": method.upper(),
                "responses": responses,
            }
            found[operation["tags"][0]].append(described)
    return [{**tag, "operations": found[tag["name"]]} for tag in document["tags"]]


def _resolved(responses: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    shared = document["components"]["responses"]
    return {
        status: shared[each["$ref"].removeprefix(_RESPONSES)] if "$ref" in each else each
        for status, each in responses.items()
    }


def prose(text: str) -> Markup:
    """Return a description as HTML: paragraphs by blank lines, and code between backticks."""
    from markupsafe import Markup, escape

    escaped = _CODE.sub(r"<code>\1</code>", str(escape(text)))
    paragraphs = "".join(f"<p>{each}</p>" for each in escaped.split("\n\n") if each)
    return Markup(paragraphs)  # noqa: S704 - the text is escaped


def kind_of(schema: dict[str, Any]) -> Markup:
    """Return the type of a value in a few words, with links to named schemas."""
    from markupsafe import Markup, escape

    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    if "anyOf" in schema:
        return Markup(" or ").join(kind_of(each) for each in schema["anyOf"])
    if "items" in schema:
        return Markup("array of ") + kind_of(schema["items"])
    kinds = schema.get("type", "any")
    words = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    return escape(", ".join([words, *_bounds(schema)]))


def _bounds(schema: dict[str, Any]) -> Iterable[str]:
    """Yield the bounds of a value in words."""
    if "enum" in schema:
        yield "one of " + ", ".join(json.dumps(each) for each in schema["enum"])
    if "format" in schema:
        yield schema["format"]
    if "contentMediaType" in schema:
        yield schema["contentMediaType"]
    words = {"minimum": "at least", "maximum": "at most", "default": "by default"}
    for key, word in words.items():
        # All ids have the same largest number, which helps no reader.
        if key in schema and schema[key] != MAX_ID:
            yield f"{word} {json.dumps(schema[key])}"
    if "maxLength" in schema:
        yield f"at most {schema['maxLength']:,} characters"


def _example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """Return the example of a body or an answer; None for one without a named schema."""
    if "$ref" in schema:
        return schemas[schema["$ref"].removeprefix(_SCHEMAS)]["examples"][0]
    if "items" in schema:
        element = _example(schema["items"], schemas)
        return None if element is None else [element]
    return None


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _marked(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the files of this package hold no text of others
