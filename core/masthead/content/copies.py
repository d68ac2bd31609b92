"""Copies of content as new drafts."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.services import create_items
from masthead.content.staging import staff_tag_ids, staff_values
from masthead.content.taglinks import TAG_IDS
from masthead.references.checking import without_missing
from masthead.resources.copies import title_of_copy
from masthead.schemas.slugs import SLUG_FIELD


def copy_item(session: Session, content_type: ContentType, item: Any, caller: Caller) -> Any:
    """Create a draft with the values and the tags of an item as staff see it, and return it.

    It has a slug from its own title, and no times that depend on a publication.

    :raises Invalid: for values that are refused today.
    """
    scheduled = {f.name for f in content_type.staged_fields} - content_type.restored_fields
    left_out = {SLUG_FIELD, *scheduled, content_type.first_published}
    shown = staff_values(content_type, item)
    values = {name: value for name, value in shown.items() if name not in left_out}
    values = without_missing(session, content_type.fields, values)
    [titled] = (f for f in content_type.fields if f.name == "title")
    values["title"] = title_of_copy(session, titled, shown["title"], shown["lang"])
    values[TAG_IDS] = staff_tag_ids(session, content_type, item)
    [copied] = create_items(session, content_type, [values], caller)
    return copied
