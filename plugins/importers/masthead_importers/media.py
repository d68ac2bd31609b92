"""The images of the former website: found in a folder, and stored once each."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from masthead import Caller, Instance, Invalid, add_path_redirects, former_path
from masthead_importers.addresses import split_address
from masthead_importers.report import Report

_VARIANT = re.compile(r"-\d{1,5}x\d{1,5}(?=\.\w+\Z)")
"""The size in the name of a scaled copy that WordPress makes: ``tree-300x200.jpg``."""
_SIZE_FOLDER = re.compile(r"/size/[wh]\d+(?:[wh]\d+)?(?=/)")
"""The folder of a scaled copy that Ghost makes: ``size/w600``."""
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg|heic)\Z", re.IGNORECASE)


def original_address(address: str) -> str:
    """Return the address of the image of which another one is a scaled copy."""
    return _VARIANT.sub("", _SIZE_FOLDER.sub("", address))


class Media:
    """Finds the files of addresses, and stores images."""

    def __init__(
        self,
        instance: Instance,
        folder: Path | None,
        markers: tuple[str, ...],
        caller: Caller | None,
        *,
        dry_run: bool,
    ) -> None:
        self._instance = instance
        self._folder = folder.resolve() if folder else None
        self._markers = markers
        self._caller = caller
        self._dry_run = dry_run
        self._stored: dict[Path, str | None] = {}
        self._redirects: dict[str, str] = {}
        self.images = 0
        """The number of images that were stored, or found in a dry run."""

    def is_upload(self, address: str) -> bool:
        """Whether an address leads to an uploaded file of the former website."""
        path = split_address(address).path
        return any(marker in path for marker in self._markers)

    def store(self, address: str, alt_text: str | None, report: Report, where: str) -> str | None:
        """Return the new address of an uploaded file; None if it stays where it is."""
        path = unquote(split_address(address).path)
        file = self._find(path)
        if file is None:
            if self._folder is None:
                report.warn("an image stays at its former address, as --media is missing", address)
            else:
                report.warn("a file is missing in the folder of --media", f"{where}: {address}")
            return None
        if file not in self._stored:
            self._stored[file] = self._store(file, alt_text, report)
        new = self._stored[file]
        if new is not None:
            # An address that is too long to be stored has no redirect.
            with suppress(ValueError):
                self._redirects[former_path(address)] = new
        return new

    def add_redirects(self) -> None:
        """Redirect the former addresses of the images that were stored since the last call."""
        if self._redirects and not self._dry_run:
            with self._instance.database.transaction() as session:
                add_path_redirects(session, self._redirects)
        self._redirects.clear()

    def _store(self, file: Path, alt_text: str | None, report: Report) -> str | None:
        if not _IMAGE.search(file.name):
            report.warn("a file that is no image stays at its former address", file.name)
            return None
        self.images += 1
        if self._dry_run:
            return f"/api/images/{file.name}"
        try:
            with file.open("rb") as opened:
                stored: str | None = self._instance.hooks.masthead_store_image(
                    instance=self._instance, file=opened, alt_text=alt_text, caller=self._caller
                )
        except (Invalid, OSError) as error:
            self.images -= 1
            report.warn("an image can't be stored", f"{file.name}: {error}")
            return None
        if stored is None:
            self.images -= 1
            report.warn("no installed plugin stores images", file.name)
        return stored

    def _find(self, path: str) -> Path | None:
        """Return the largest copy of a file in the folder."""
        for name in dict.fromkeys((original_address(path), path)):
            for relative in self._relative_paths(name):
                if file := self._existing(relative):
                    return file
        return None

    def _relative_paths(self, path: str) -> list[str]:
        """Return the paths at which a file may be, as the folder may be any of those above it."""
        for marker in self._markers:
            _, found, after = path.partition(marker)
            if found:
                above = [part for part in marker.split("/") if part]
                return ["/".join([*above[n:], after]) for n in range(len(above), -1, -1)]
        return []

    def _existing(self, relative: str) -> Path | None:
        if self._folder is None or "\0" in relative:
            return None
        try:
            file = (self._folder / relative).resolve()
            # A path with ".." or a symbolic link may leave the folder.
            inside = file.is_relative_to(self._folder) and file.is_file()
        except (OSError, RuntimeError, ValueError):
            return None
        return file if inside else None
