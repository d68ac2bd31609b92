"""Storage of the values of revisions: compressed, and long ones as differences.

The place of values in their chain tells the values from which they are a difference: those at the
place without the lowest set bit. So reading one of 1,000 needs at most ten others, and all of
these are small. See ``docs/decisions/0024-revisions.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Row, bindparam, delete, exists, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from masthead.errors import NotFound
from masthead.history.models import Revision, RevisionValue
from masthead.history.snapshots import Snapshot

WHOLE_BELOW = 4096
"""The bytes of values that are always stored whole, which saves a statement per save."""
LAST_PLACE = 1023
"""The last place of a chain; the values after it are stored whole."""
LARGEST = 256 * 1024**2
"""The bytes of values that are read at most; an imported row could claim any number."""
_LEVEL = 3
_WORTHWHILE = 4
"""A difference is stored if the values are at least this many times as long."""
_DAMAGED = "The values of this revision are damaged"
_VALUE: Any = RevisionValue.__table__
_REVISION: Any = Revision.__table__
_ROW: Mapping[str, Any] = {
    "kind": bindparam("kind"),
    "item": bindparam("item"),
    "digest": bindparam("former"),
}
_NEEDING = _VALUE.alias()
_FORGET = delete(_VALUE).where(
    *(_VALUE.c[name] == value for name, value in _ROW.items()),
    ~exists().where(*(_REVISION.c[name] == value for name, value in _ROW.items())),
    ~exists().where(
        _NEEDING.c.kind == _ROW["kind"],
        _NEEDING.c.item == _ROW["item"],
        _NEEDING.c.base == _ROW["digest"],
    ),
)


class Key(NamedTuple):
    """An item that has revisions."""

    kind: str
    item: str


class Head(NamedTuple):
    """The place of values in their chain."""

    digest: str
    place: int


def store(
    session: Session, key: Key, snapshot: Snapshot, head: Head | None, *, replaces: bool = False
) -> None:
    """Store values, unless the item has equal ones already.

    :param head: the values of the newest revision; None if there is none.
    :param replaces: whether the new values take the place of those.
    """
    text = snapshot.text
    row = {"kind": key.kind, "item": key.item, "digest": snapshot.digest, "size": len(text)}
    difference = None
    if head is not None and len(text) >= WHOLE_BELOW:
        difference = _difference(session, key, text, head, head.place + (not replaces))
    row |= difference or {"base": None, "place": 0, "data": compress(text)}
    session.connection().execute(_adding(session.get_bind().dialect.name), row)


@cache
def _adding(dialect: str) -> Any:
    """Return the statement that adds values unless there are equal ones."""
    of_dialect: Any = postgresql if dialect == "postgresql" else sqlite
    return of_dialect.insert(_VALUE).on_conflict_do_nothing()


def load(session: Session, key: Key, digest: str) -> Snapshot:
    """Return stored values.

    :raises NotFound: if they are missing or damaged.
    """
    try:
        snapshot = Snapshot.read(_text(_chain(session, key, digest)))
    except ValueError:
        raise NotFound(_DAMAGED) from None
    if snapshot.digest != digest:
        raise NotFound(_DAMAGED)
    return snapshot


def forget_replaced(session: Session, key: Key, digest: str) -> None:
    """Delete values that no revision of the item has any more, unless others need them."""
    session.connection().execute(_FORGET, {**key._asdict(), "former": digest})


def forget_unused(session: Session, key: Key) -> None:
    """Delete the values of an item that neither a revision nor other values need."""
    mine = (Revision.kind == key.kind, Revision.item == key.item)
    needed = select(Revision.digest.label("digest")).where(*mine).cte("needed", recursive=True)
    base = select(RevisionValue.base).where(_of(key), RevisionValue.base.is_not(None))
    needed = needed.union(base.join(needed, needed.c.digest == RevisionValue.digest))
    found = _of(key) & RevisionValue.digest.not_in(select(needed.c.digest))
    session.execute(delete(RevisionValue).where(found).execution_options(synchronize_session=False))


def _of(key: Key) -> Any:
    return (RevisionValue.kind == key.kind) & (RevisionValue.item == key.item)


def _difference(
    session: Session, key: Key, text: bytes, head: Head, place: int
) -> dict[str, Any] | None:
    """Return the columns of values as a difference; None if they are to be stored whole."""
    if not 0 < place <= LAST_PLACE:
        return None
    # The place without its lowest set bit; the chain of the head always has it.
    wanted = place & (place - 1)
    chain = [row for row in _chain(session, key, head.digest) if row.place <= wanted]
    try:
        base = _text(chain)
    except ValueError:
        return None
    data = compress(text, base)
    if len(data) * _WORTHWHILE > len(text):
        return None
    return {"base": chain[-1].digest, "place": place, "data": data}


def _chain(session: Session, key: Key, digest: str) -> Sequence[Row[Any]]:
    """Return the rows that are needed to read values, the whole ones first."""
    columns = (_VALUE.c.digest, _VALUE.c.base, _VALUE.c.place, _VALUE.c.size, _VALUE.c.data)
    mine = (_VALUE.c.kind == key.kind, _VALUE.c.item == key.item)
    chain: Any = select(*columns).where(*mine, _VALUE.c.digest == digest).cte(recursive=True)
    # The place decreases, so that imported rows can't form a circle.
    lower = (_VALUE.c.digest == chain.c.base) & (_VALUE.c.place < chain.c.place)
    chain = chain.union_all(select(*columns).where(*mine).join(chain, lower))
    return session.execute(select(chain).order_by(chain.c.place)).all()


def _text(chain: Sequence[Row[Any]]) -> bytes:
    """Return the text of the last row.

    :raises ValueError: for a row that is missing or damaged.
    """
    if not chain or chain[0].base is not None:
        raise ValueError("a part is missing")
    text = b""
    for row in chain:
        text = decompress(row.data, row.size, text if row.base else None)
    return text


def compress(text: bytes, base: bytes | None = None) -> bytes:
    """Return the compressed form of a text.

    :param base: a similar text, which is needed to read the result.
    """
    import zstandard

    if base is None:
        return zstandard.ZstdCompressor(level=_LEVEL).compress(text)
    # The window has to reach over the base, or else the beginning of long texts finds no match.
    window = max(zstandard.WINDOWLOG_MIN, (len(base) + len(text)).bit_length())
    parameters = zstandard.ZstdCompressionParameters.from_level(
        _LEVEL,
        source_size=len(text),
        dict_size=len(base),
        window_log=min(window, zstandard.WINDOWLOG_MAX),
    )
    compressor = zstandard.ZstdCompressor(
        compression_params=parameters, dict_data=_dictionary(base)
    )
    return compressor.compress(text)


def decompress(data: bytes, size: int, base: bytes | None = None) -> bytes:
    """Return a text from its compressed form.

    :param size: the number of its bytes.
    :raises ValueError: for damaged data, and for a text of another or too large a size.
    """
    import zstandard

    try:
        if not 0 <= size <= LARGEST or zstandard.frame_content_size(data) != size:
            raise ValueError("another size than stated")
        dictionary = None if base is None else _dictionary(base)
        return zstandard.ZstdDecompressor(dict_data=dictionary).decompress(data)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None


def _dictionary(base: bytes) -> Any:
    import zstandard

    return zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
