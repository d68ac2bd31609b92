"""The rows of a workbook: xlsx, ods, xls or xlsb.

Another process reads the workbook and writes CSV, because a small file can declare millions of
cells, and the library allocates memory for all of them at once. The process has limits of memory,
time and output, so that such a file ends the process and not the server.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import zlib
from collections.abc import Iterator
from io import TextIOWrapper
from lzma import LZMAError
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO
from zipfile import BadZipFile, ZipFile

from masthead.csv import workbook_process
from masthead.errors import Invalid

MAX_ENTRIES = 1_000
"""The number of files in the archive that a workbook is."""
MAX_UNPACKED = 512 * 1024 * 1024
"""The number of bytes of these files."""
MAX_RATIO = 200
"""The number of unpacked bytes per packed byte, of an archive with more than a few of them."""
_SECONDS = 120
_CHUNK = 1024 * 1024
_FEW = 10 * 1024 * 1024
_ZIP = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ODS = b"application/vnd.oasis.opendocument.spreadsheet"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""The name of the part that holds an encrypted workbook of Excel."""
_PROTECTED = "The workbook is encrypted: save it without a password"
_DAMAGED = "The workbook can't be read: it is damaged or too large"


def is_workbook(file: IO[bytes]) -> bool:
    """Whether a file, which is rewound, has the format of a workbook.

    :raises Invalid: for an archive that is no workbook, or that is too large when unpacked.
    """
    start = file.read(8)
    file.seek(0)
    if start.startswith(_ZIP):
        try:
            with ZipFile(file) as archive:
                _check_archive(archive)
        except (BadZipFile, zlib.error, LZMAError, EOFError, OSError, RuntimeError, ValueError):
            raise Invalid("The file is a damaged archive or workbook") from None
        finally:
            file.seek(0)
        return True
    if start != _COMPOUND:
        return False
    if _contains(file, _ENCRYPTED):
        raise Invalid(_PROTECTED)
    return True


def read_workbook(file: IO[bytes], sheet: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a sheet with its number, from 1.

    Whole numbers have no decimals, and dates are written as in ISO 8601.

    :param sheet: the name of the sheet; by default the first one that isn't hidden.
    :raises Invalid: for a workbook that is encrypted, damaged or too large, and for a sheet that
        doesn't exist.
    """
    with TemporaryFile() as source, TemporaryFile() as target:
        copyfileobj(file, source)
        file.seek(0)
        source.seek(0)
        _convert(source, target, sheet)
        target.seek(0)
        rows = csv.reader(TextIOWrapper(target, "utf-8", newline=""))
        try:
            yield from enumerate(rows, 1)
        except csv.Error:
            raise Invalid(f"A cell has more than {csv.field_size_limit()} characters") from None


def _check_archive(archive: ZipFile) -> None:
    entries = archive.infolist()
    packed = sum(entry.compress_size for entry in entries)
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MAX_ENTRIES or unpacked > max(_FEW, min(MAX_UNPACKED, packed * MAX_RATIO)):
        raise Invalid("The workbook is too large when it is unpacked")
    names = {entry.filename for entry in entries}
    if any(entry.flag_bits & 1 for entry in entries):
        raise Invalid(_PROTECTED)
    if "mimetype" in names:
        kind = archive.open("mimetype").read(100)
        if not kind.startswith(_ODS):
            raise Invalid("The file is a document without a table: save the table as ods or CSV")
    elif not {"xl/workbook.xml", "xl/workbook.bin"} & names:
        kind_of = "a Word document" if "word/document.xml" in names else "an archive (zip)"
        raise Invalid(f"The file is {kind_of}: save the table as xlsx, ods or CSV")


def _contains(file: IO[bytes], searched: bytes) -> bool:
    """Whether a file, which is rewound, contains some bytes."""
    rest = b""
    while chunk := file.read(_CHUNK):
        if searched in rest + chunk:
            break
        rest = chunk[-len(searched) :]
    file.seek(0)
    return bool(chunk)


def _convert(source: IO[bytes], target: IO[bytes], sheet: str | None) -> None:
    """Write the rows of a sheet as CSV."""
    command = [sys.executable, "-P", str(Path(workbook_process.__file__)), sheet or ""]
    try:
        done = subprocess.run(
            command,
            stdin=source,
            stdout=target,
            stderr=subprocess.PIPE,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Invalid(_DAMAGED) from None
    if done.returncode == workbook_process.REFUSED:
        raise Invalid(done.stderr.decode("utf-8", "replace").strip())
    if done.returncode:
        raise Invalid(_DAMAGED)
