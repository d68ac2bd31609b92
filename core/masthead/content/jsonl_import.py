"""The import of JSON lines as items of a content type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.services import publish_new
from masthead.auth.caller import Caller
from masthead.content.contenttype import ContentType
from masthead.content.schemas import create_body
from masthead.content.services import create_items
from masthead.content.slugs import derive_slugs
from masthead.content.taglinks import TAG_IDS
from masthead.resources.importing import INDEXED, WANTED_SLUG, Importer
from masthead.schemas.fields import values_of_new
from masthead.schemas.schema import ListOf, extended, optional, schema
from masthead.schemas.text_types import DisplayName
from masthead.search.services import text_indexer
from masthead.tags.services import ensure_tags

TAGS = "tags"


def content_importer(content_type: ContentType) -> Importer:
    """Return an importer of lines with the fields of a create.

    Instead of ``tagIds`` they have ``tags``: names, for which missing tags are created.
    """
    index = text_indexer(content_type)
    fields = {node.name: node for node in create_body(content_type) if node.name != TAG_IDS}

    def prepare(values: dict[str, Any]) -> None:
        values[INDEXED] = index(values_of_new(content_type.fields, values))

    def store(
        session: Session, lines: list[dict[str, Any]], publish: bool, actor: Caller | None
    ) -> Sequence[Any]:
        ids = ensure_tags(session, {name for line in lines for name in line.get(TAGS, ())})
        bodies = [
            line | {TAG_IDS: list(dict.fromkeys(ids[name] for name in line.get(TAGS, ())))}
            for line in lines
        ]
        items = create_items(session, content_type, bodies, actor)
        if publish:
            wanted = [
                (item, line.get(WANTED_SLUG) or item.title)
                for item, line in zip(items, lines, strict=True)
            ]
            without = [(item, text) for item, text in wanted if item.slug is None]
            derive_slugs(session, content_type, without)
            publish_new(session, content_type, items, actor)
        return items

    body = extended(
        schema(fields), {TAGS: optional(ListOf(DisplayName(), unique=True), nullable=False)}
    )
    return Importer(content_type.name, content_type.model, body, store, prepare)
