"""The uses of images by items in the trash, which need them once they are restored."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonpath

from sqlalchemy import Text, cast, select
from sqlalchemy.orm import Session

from masthead.instance import instance_of
from masthead.ports.images import ImageUse
from masthead.resources.trashed import TrashedItem
from masthead.trash.kinds import read_permission

_KIND = "trash"


def uses_in_trash(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Return the uses of images by items in the trash, by the items' numbers.

    :param paths: the paths of at least one image.
    """
    instance, texts = instance_of(session), cast(TrashedItem.images, Text)
    columns = (TrashedItem.id, TrashedItem.title, TrashedItem.kind, TrashedItem.images)
    common = commonpath(list(paths))
    rows = select(*columns).where(texts.contains(common, autoescape=True)).order_by(TrashedItem.id)
    return [
        ImageUse(path, _KIND, row.id, row.title, read_permission(instance, row.kind))
        for row in session.execute(rows)
        for path in paths
        if any(path in address for address in row.images)
    ]
