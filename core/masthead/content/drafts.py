"""Drafts that code creates, for example from a visitor's proposal."""

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
    """Create a draft as the staff API does, without checking a permission.

    :param values: unchecked values by wire name, in the form of a request's body.
    :param caller: the creator.
    :returns: the item, which has its id.
    :raises Invalid: for values that the staff API would refuse, too.
    """
    body = bound(create_body(content_type), instance_of(session).settings)
    [item] = create_items(session, content_type, [load(body, values)], caller)
    return item
