"""The hooks of templates."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from masthead import Resource, hookimpl
from masthead_email.templates.resource import TEMPLATES
from masthead_email.templates.services import existing_ids


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of templates."""
    return [TEMPLATES]


@hookimpl
def masthead_mail_templates(session: Session, ids: Sequence[int]) -> list[int]:
    """Return the ids of templates that exist."""
    return existing_ids(session, ids)
