"""Locks on several items of a content type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType


def lock_items(session: Session, content_type: ContentType, ids: Sequence[int]) -> dict[int, Any]:
    """Return items by id, read again and locked in the order of their ids, to avoid deadlocks."""
    model = content_type.model
    rows = (
        select(model)
        .where(model.id.in_(ids))
        .order_by(model.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {item.id: item for item in session.scalars(rows)}
