"""Drafts that no request asks for, such as one made of what somebody proposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.schemas import create_body
from masthead.content.services import create_items
from masthead.instance import instance_of
from masthead.schemas.schema import bound, load


def create_draft(
    session: Session, content_type: ContentType, values: Mapping[str, Any], caller: Caller | None
) -> Any:
    """Make a draft as a create of the staff API would, permission aside.

    :param values: by wire name and as a client sends them; they are checked as a client's are.
    :param caller: who becomes the creator.
    :returns: the item, which has its id.
    :raises Invalid: for what a create would refuse.
    """
    body = bound(create_body(content_type), instance_of(session).settings)
    [item] = create_items(session, content_type, [load(body, values)], caller)
    return item
