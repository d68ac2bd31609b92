"""Reading returned messages from streams, files, folders and Maildirs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from masthead_email.bounces.parts import MAX_SIZE

_FROM_LINE = re.compile(
    rb"From (?:.* )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d{1,2} +\d{1,2}:\d\d(?::\d\d)?"
    rb"(?: +[\w+-]+)* +\d{4}"
)
"""The line of an mbox before a message, with the time as ``asctime`` writes it."""


@dataclass(frozen=True)
class Incoming:
    """A message of a source."""

    name: str
    """The source, for messages to users."""
    octets: bytes | None
    """None if the message is too large."""
    finish: Callable[[], object] = lambda: None
    """Call it after the message is processed."""


def read_stream(stream: BinaryIO, name: str) -> Iterator[Incoming]:
    """Yield the message in a stream, or all messages if it is an mbox."""
    for number, octets in enumerate(_messages(stream), 1):
        yield Incoming(name if number == 1 else f"{name}, message {number}", octets)


def read_path(path: Path) -> Iterator[Incoming]:
    """Yield the messages of a file, of the files in a folder, or of a Maildir.

    Messages of a Maildir move from ``new`` to ``cur`` when they are finished.
    """
    if path.is_file():
        yield from _read_file(path)
        return
    new, current = path / "new", path / "cur"
    if not (new.is_dir() or current.is_dir()):
        for file in _files(path):
            yield from _read_file(file)
        return
    # Those in "cur" were seen by a mail program, but perhaps not by this command.
    for file in _files(current):
        yield from _read_file(file)
    for file in _files(new):
        *others, last = _read_file(file)
        yield from others
        yield replace(last, finish=partial(_move, file, current / f"{file.name}:2,S"))


def _move(file: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    file.replace(target)


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_file() and each.name[0] != ".")


def _read_file(path: Path) -> Iterator[Incoming]:
    with path.open("rb") as stream:
        yield from read_stream(stream, str(path))


def _messages(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the messages of a stream; None in place of one that is too large."""
    first = stream.readline(MAX_SIZE + 1)
    is_mbox = first.startswith(b"From ")
    lines = [] if is_mbox else [first]
    size = len(first)
    while line := stream.readline(MAX_SIZE + 1):
        if is_mbox and _FROM_LINE.match(line):
            yield _joined(lines, size)
            lines, size = [], 0
            continue
        size += len(line)
        if size <= MAX_SIZE:
            lines.append(line)
    yield _joined(lines, size)


def _joined(lines: list[bytes], size: int) -> bytes | None:
    return b"".join(lines) if size <= MAX_SIZE else None
