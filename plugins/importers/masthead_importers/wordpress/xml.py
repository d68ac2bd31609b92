"""Reads WXR files element by element, in little memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from masthead import Invalid
from masthead_importers.files import Stream, open_streams, wrong_kind

WANTED = "a WordPress export"
_CHUNK = 64 * 1024
# XML 1.0 excludes them, but WordPress writes them as they were typed.
_EXCLUDED = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_CHANNEL = ("link", "author")
"""The elements of the channel, besides its items, that the import reads."""


def read_elements(path: Path) -> Iterator[Any]:
    """Yield the wanted elements of the channel, complete, in the order of the file.

    :raises Invalid: for a file that isn't a WordPress export, is damaged or declares entities.
    """
    with open_streams(path, ".xml", "Reading") as streams:
        empty = True
        for name, stream in streams:
            empty = False
            yield from _read(path, name, stream)
    if empty:
        raise wrong_kind(path, WANTED)


def local_name(element: Any) -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: Any) -> dict[str, str]:
    """Return the texts of an element's children by prefixed or plain name; the first counts.

    The prefix distinguishes ``content:encoded`` from ``excerpt:encoded``.
    """
    texts: dict[str, str] = {}
    for child in element:
        name = local_name(child)
        full = f"{child.prefix}:{name}" if child.prefix else name
        texts.setdefault(full, child.text or "")
    return texts


def _read(path: Path, name: str, stream: Stream) -> Iterator[Any]:
    parser = etree.XMLPullParser(
        ("start", "end"), resolve_entities=False, no_network=True, load_dtd=False
    )
    depth, is_wxr, is_feed = 0, False, False
    try:
        while chunk := stream.read(_CHUNK):
            is_feed = is_feed or b"<rss" in chunk
            parser.feed(chunk.translate(None, _EXCLUDED))
            for event, element in parser.read_events():
                depth += 1 if event == "start" else -1
                if event == "start" and depth == 1:
                    _check_root(path, element)
                if event == "end" and depth == 2:
                    is_wxr = is_wxr or local_name(element) == "wxr_version"
                    if local_name(element) in (*_CHANNEL, "item"):
                        yield element
                    _forget(element)
        parser.close()
    except etree.XMLSyntaxError as error:
        if not is_feed:
            raise wrong_kind(path, WANTED) from error
        place = f"line {error.lineno}" if error.lineno else "the end"
        raise Invalid(f"{name} is damaged at {place}: {error.msg}") from error
    if not is_wxr:
        raise Invalid(f"{name} is an RSS feed, not {WANTED}")


def _check_root(path: Path, root: Any) -> None:
    if local_name(root) != "rss":
        raise wrong_kind(path, WANTED)
    if root.getroottree().docinfo.internalDTD is not None:
        raise Invalid(f"{path.name} declares a document type, which no WordPress export does")


def _forget(element: Any) -> None:
    """Free the memory of an element and of those before it."""
    parent = element.getparent()
    element.clear()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
