"""The items that are related to others: by shared tags, and by equal values of declared fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    String,
    Subquery,
    bindparam,
    column,
    func,
    select,
    union_all,
    values,
)

from masthead.content.contenttype import ContentType
from masthead.content.visibility import now_parameters, readable, visible
from masthead.db import ID, fold_name
from masthead.schemas.shapes import Shape

RELATED_ITEMS = 3
"""The number of related items of an item, unless a request chooses another one."""
MOST_RELATED = 20

_IDS = bindparam("ids", expanding=True, type_=ID)
_MOST = bindparam("most", type_=Integer())
"""The number of items to read for each item: one more, as the item itself can be among them."""


class RelatedReading:
    """Reads the items of a content type that are most related to each of some items."""

    def __init__(self, content_type: ContentType, shape: Shape) -> None:
        """Build the statements.

        :param shape: the fields of a related item.
        """
        self.shape = shape
        self._content_type = content_type
        self._table = content_type.table
        texts = [n for n in content_type.related_by if _is_text(content_type, n)]
        self._texts = [_EqualText(content_type, name) for name in texts]
        self._shares = [_shared_tags(content_type)]
        self._shares += [
            _equal_values(content_type, name)
            for name in content_type.related_by
            if name not in texts
        ]
        self._statement = self._rank(self._shares)
        columns = [content_type.columns[name] for name in content_type.related_by]
        self._own = select(self._table.c.id, *columns).where(*_own(self._table))
        links = content_type.links
        self._own_tags = select(links.c.item_id, links.c.tag_id).where(links.c.item_id.in_(_IDS))

    def of(
        self, connection: Connection, ids: Collection[int], most: int = RELATED_ITEMS
    ) -> dict[int, list[dict[str, Any]]]:
        """Return the related items of each item that has some and that the public sees.

        :param most: the maximum number of related items of an item.
        """
        alike = self._alike(connection, ids)
        found = self._read(connection, [same[0] for same in alike], most)
        return {
            own_id: [item for other_id, item in found[same[0]] if other_id != own_id][:most]
            for same in alike
            for own_id in same
        }

    def _alike(self, connection: Connection, ids: Collection[int]) -> list[list[int]]:
        """Return the visible ones of some items, in groups with the same tags and values.

        The items that are related to one of a group are those of all. A search for them takes long
        if thousands of items have a tag, and pages have many items with the same tags.
        """
        parameters: dict[str, Any] = now_parameters() | {_IDS.key: list(ids)}
        tags: dict[int, set[int]] = defaultdict(set)
        for item_id, tag_id in connection.execute(self._own_tags, parameters):
            tags[item_id].add(tag_id)
        groups: dict[Any, list[int]] = defaultdict(list)
        for item_id, *values_of in connection.execute(self._own, parameters):
            groups[frozenset(tags[item_id]), *map(_folded, values_of)].append(item_id)
        return list(groups.values())

    def _read(
        self, connection: Connection, ids: Collection[int], most: int
    ) -> dict[int, list[tuple[int, dict[str, Any]]]]:
        """Return the ids and the items that share most with each item, which is one of them."""
        bounds: dict[str, Any] = {_IDS.key: list(ids), _MOST.key: most + 1}
        parameters = now_parameters() | bounds
        equal = [each.shares(connection, parameters) for each in self._texts]
        further = [each for each in equal if each is not None]
        statement = self._rank([*self._shares, *further]) if further else self._statement
        rows = connection.execute(statement, parameters).all()
        found: dict[int, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
        for row, item in zip(rows, self.shape.items(row[:-2] for row in rows), strict=True):
            found[row[-2]].append((row[-1], item))
        return found

    def _rank(self, shares: Iterable[Select[Any]]) -> Select[Any]:
        """Return the statement for the most related items, from pairs that share something."""
        best = _best(self._content_type, shares)
        table = self._table
        chosen = self.shape.select().join_from(best, table, table.c.id == best.c.item_id)
        named = chosen.add_columns(best.c.own_id, best.c.item_id)
        return named.order_by(best.c.own_id, best.c.place)


def _best(content_type: ContentType, shares: Iterable[Select[Any]]) -> Subquery:
    """Return the first items of each item, those with the most shared things and the newest."""
    table, each = content_type.table, union_all(*shares).subquery()
    pair = (each.c.own_id, each.c.item_id)
    score = select(*pair, func.count().label("shared")).group_by(*pair).subquery()
    newest = content_type.columns[content_type.date]
    order = (score.c.shared.desc(), newest.desc().nulls_last(), table.c.id.desc())
    place = func.row_number().over(partition_by=score.c.own_id, order_by=order).label("place")
    ranked = (
        select(score.c.own_id, score.c.item_id, place)
        .join_from(score, table, table.c.id == score.c.item_id)
        .where(visible(table))
        .subquery()
    )
    return select(ranked).where(ranked.c.place <= _MOST).subquery()


class _EqualText:
    """The pairs of items whose texts of a field are equal, in any case of letters."""

    def __init__(self, content_type: ContentType, field: str) -> None:
        table = content_type.table
        self._table, self._column = table, content_type.columns[field]
        self._own = select(table.c.id, self._column).where(*_own(table), self._column != "")
        self._values = select(self._column).where(self._column != "").distinct()

    def shares(self, connection: Connection, parameters: dict[str, Any]) -> Select[Any] | None:
        """Return the statement for the pairs; None if no item has a text."""
        own = connection.execute(self._own, parameters).all()
        if not own:
            return None
        # No function of both databases folds the same characters.
        wanted = {fold_name(text) for _, text in own}
        equal: dict[str, list[str]] = defaultdict(list)
        for text in connection.scalars(self._values):
            if (key := fold_name(text)) in wanted:
                equal[key].append(text)
        pairs = [(own_id, each) for own_id, text in own for each in equal[fold_name(text)]]
        named = (column("own_id", ID), column("value", self._column.type))
        given = values(*named).data(pairs).cte(f"equal_{self._column.key}")
        items = select(given.c.own_id, self._table.c.id.label("item_id"))
        return items.join_from(given, self._table, self._column == given.c.value)


def _shared_tags(content_type: ContentType) -> Select[Any]:
    own, other = content_type.links.alias("own_tags"), content_type.links
    pairs = select(own.c.item_id.label("own_id"), other.c.item_id)
    joined = pairs.join_from(own, other, other.c.tag_id == own.c.tag_id)
    seen = select(content_type.table.c.id).where(*_own(content_type.table))
    return joined.where(own.c.item_id.in_(seen))


def _equal_values(content_type: ContentType, field: str) -> Select[Any]:
    table, own = content_type.table, content_type.table.alias("own")
    name = content_type.columns[field].name
    pairs = select(own.c.id.label("own_id"), table.c.id.label("item_id"))
    return pairs.join_from(own, table, table.c[name] == own.c[name]).where(*_own(own))


def _own(table: Any) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of the items whose related items are read."""
    yield table.c.id.in_(_IDS)
    yield readable(table)


def _folded(value: Any) -> Any:
    return fold_name(value) if isinstance(value, str) else value


def _is_text(content_type: ContentType, field: str) -> bool:
    return isinstance(content_type.columns[field].type, String)
