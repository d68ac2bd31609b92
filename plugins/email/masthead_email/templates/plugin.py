"""How templates join Masthead: a resource for staff, which other plugins may choose from."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from masthead import Resource, hookimpl
from masthead_email.templates.resource import TEMPLATES
from masthead_email.templates.services import existing


@hookimpl
def masthead_resources() -> list[Resource]:
    """The templates as staff keep them."""
    return [TEMPLATES]


@hookimpl
def masthead_mail_templates(session: Session, ids: Sequence[int]) -> list[int]:
    """Those that exist."""
    return existing(session, ids)
