"""Verification of a backup: every part is read."""

from __future__ import annotations

import hashlib
from pathlib import Path

from masthead.backup.archive import CHUNK, Archive, Member, open_archive
from masthead.backup.folder import SharedFiles
from masthead.backup.manifest import Entry, FilesPart, Manifest, list_name, read_list
from masthead.errors import StartError
from masthead.transfer.folder import ReportProgress


def verify(path: Path, folder: Path, report: ReportProgress) -> Manifest:
    """Verify all parts of a backup, and return its manifest.

    :param folder: the folder of the shared files.
    :raises StartError: with the name of the first part that is missing or changed.
    """
    with open_archive(path) as archive:
        manifest = Manifest.read(archive)
        done, size = 0, manifest.database.size
        for chunk in archive.read(manifest.database.name, manifest.database.member):
            done += len(chunk)
            report("database: checksum", done, size)
        for part in manifest.files:
            archive.verify(list_name(part.name), Member(part.size, part.sha256))
            found = 0
            for found, entry in enumerate(read_list(archive, part), 1):
                for _ in content_of(archive, folder, part, entry):
                    pass
                report(f"{part.name}: checksums", found, part.count)
            if found != part.count:
                raise StartError(f"{path} was changed: the number of {part.name} is wrong")
    return manifest


def content_of(archive: Archive, folder: Path, part: FilesPart, entry: Entry) -> list[bytes]:
    """Return the verified bytes of a file.

    :raises StartError: if it is missing or differs.
    """
    if not part.shared:
        return list(archive.read(f"files/{part.name}/{entry.key}", entry.member))
    path = SharedFiles(folder).path(part.name, entry.key, entry.member.sha256)
    if path.is_symlink() or not path.is_file():
        raise StartError(f"{path} is missing, which {archive.path.name} needs")
    chunks, digest = list[bytes](), hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            chunks.append(chunk)
            digest.update(chunk)
    if digest.hexdigest() != entry.member.sha256:
        raise StartError(f"{path} was changed: its checksum is wrong")
    return chunks
