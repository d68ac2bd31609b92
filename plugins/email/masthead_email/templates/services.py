"""Reading templates for other features and plugins."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead_email.rendering.placeholders import replace
from masthead_email.templates.models import Template
from masthead_email.templates.resource import CONTENT


def existing_ids(session: Session, ids: Sequence[int]) -> list[int]:
    """Return the ids that belong to a template; it can't be deleted before the commit."""
    found = select(Template.id).where(Template.id.in_(ids)).order_by(Template.id)
    return list(session.scalars(found.with_for_update(read=True, key_share=True)))


def wrapped_html(template: Template) -> str:
    """Return a template's HTML, inside its wrapper if it has one."""
    if not template.html_wrapper:
        return template.html_content
    return replace(template.html_wrapper, CONTENT, template.html_content)
