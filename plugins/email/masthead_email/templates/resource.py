"""The resource of templates for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    CREATED_AT,
    UPDATED_AT,
    Copies,
    ProblemCode,
    Resource,
    snake_case,
    wrong_field,
)
from masthead_email.letters import check_letter, known_names
from masthead_email.mjml.letters import check_content, compile_letter, written_field
from masthead_email.rendering.placeholders import names
from masthead_email.rendering.rendered_message import plain_part
from masthead_email.templates.models import VARIABLES_LENGTH, Template

CONTENT = "content"
"""The placeholder of a wrapper that the HTML of the mail replaces."""


def _check_wrapper(template: Template) -> None:
    wrapper = template.html_wrapper
    # A placeholder in an attribute or a style sheet can't be replaced by HTML.
    if wrapper and CONTENT not in names(plain_part(wrapper)):
        field = written_field(template, "html_wrapper")
        raise wrong_field(field, ProblemCode.WRONG_FORM, "Must contain {{content}}")


def _flush(session: Session, templates: Sequence[Any]) -> None:
    known = known_names(session, CONTENT)
    for template in templates:
        compile_letter(template)
        _check_wrapper(template)
        check_letter(template, {*known, *_declared(template)}, free=True)
        given = template.variables
        if not given or given == template.derived:
            template.variables = template.derived = _variables(template)
    session.add_all(templates)
    session.flush()


def _declared(template: Template) -> list[str]:
    """Return the variables that the author has listed; derived ones don't count."""
    given = template.variables or ""
    return [] if given == template.derived else [name.strip() for name in given.split(",")]


def _variables(template: Template) -> str:
    """Return the names of the placeholders that need values, separated by commas."""
    wrapper = names(template.html_wrapper)
    texts = names(template.subject, template.html_content, template.text_content)
    found = ",".join(dict.fromkeys([*texts, *(name for name in wrapper if name != CONTENT)]))
    return found if len(found) <= VARIABLES_LENGTH else found[:VARIABLES_LENGTH].rpartition(",")[0]


TEMPLATES = Resource(
    name="email-templates",
    label="Email template",
    model=Template,
    area="email",
    trash=True,
    order=("-created_at",),
    filters=("category",),
    shows={"created_at": CREATED_AT, "updated_at": UPDATED_AT},
    before_change=check_content,
    flush=_flush,
    copies=Copies("name"),
    wire=snake_case,
)
