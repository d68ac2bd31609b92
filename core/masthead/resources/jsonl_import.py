"""The import of JSON lines as items of a resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.publications import PublicationWay
from masthead.auth.caller import Caller
from masthead.resources.declaration import Resource
from masthead.resources.importing import Importer
from masthead.resources.kept import PUBLISHED
from masthead.resources.schemas import create_body
from masthead.resources.services import create_items


def resource_importer(resource: Resource) -> Importer:
    """Return an importer of lines with the fields of a create.

    With ``publish``, items are published unless their line says otherwise.
    """
    publishes = any(f.name == PUBLISHED for f in resource.fields)

    def store(
        session: Session, lines: list[dict[str, Any]], publish: bool, actor: Caller | None
    ) -> Sequence[Any]:
        given = {PUBLISHED: True} if publish and publishes else {}
        bodies = [given | line for line in lines]
        return create_items(session, resource, bodies, actor, PublicationWay.IMPORT)

    return Importer(resource.name, resource.model, create_body(resource), store)
