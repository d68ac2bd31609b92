"""The setting of the deployer's own texts."""

from __future__ import annotations

from pathlib import Path

from masthead.settings import Setting, folder


def _folder(value: str) -> Path | None:
    return Path(folder(value)) if value.strip() else None


TEXTS = Setting(
    "masthead.texts",
    _folder,
    "",
    "Folder with templates and translations that replace those of Masthead; see docs/texts.md."
    " Blank uses those of Masthead.",
)
