"""Copy a distribution for publication, with links of its README that work on a package index.

In the repository, a README links to other files. A package index shows the README alone. There the
links lead to the public address of the repository; while there is none, they become plain text.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tools.workspace import ROOT, Distribution, repository

RELATIVE_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?![a-z]+:|#)(?P<target>[^)\s]+)\)")


def stage(distribution: Distribution, folder: Path) -> Path:
    """Copy the distribution without tests and ignored files; return the folder of the copy."""
    staged = folder / distribution.folder.name
    for name in distribution.files("--cached", "--others", "--exclude-standard"):
        if not name.startswith("tests/"):
            copied = staged / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(distribution.folder / name, copied)
    readme, declaration = staged / "README.md", staged / "pyproject.toml"
    source = Source(repository(), distribution.version)
    readme.write_text(source.resolve(readme.read_text("utf-8"), distribution.folder), "utf-8")
    declaration.write_text(declaration.read_text("utf-8") + source.urls(), "utf-8")
    return staged


class Source:
    """The public repository at the tag of a version; its address can be blank."""

    def __init__(self, address: str, version: str) -> None:
        self.address = address
        self.tag = f"v{version}"

    def resolve(self, text: str, folder: Path) -> str:
        """Return a Markdown text of a folder, with links to files made absolute or plain text."""

        def replace(link: re.Match[str]) -> str:
            if not self.address:
                return link["text"]
            path, mark, anchor = link["target"].partition("#")
            return f"[{link['text']}]({self.address_of(folder / path)}{mark}{anchor})"

        return RELATIVE_LINK.sub(replace, text)

    def address_of(self, path: Path) -> str:
        """Return the address of a file or folder of the repository."""
        found = path.resolve()
        kind = "tree" if found.is_dir() else "blob"
        return f"{self.address}/{kind}/{self.tag}/{found.relative_to(ROOT).as_posix()}"

    def urls(self) -> str:
        """Return the section of pyproject.toml with the addresses of the project."""
        if not self.address:
            return ""
        addresses = {
            "Repository": self.address,
            "Documentation": self.address_of(ROOT / "docs"),
            "Changelog": self.address_of(ROOT / "CHANGELOG.md"),
        }
        lines = [f'{name} = "{address}"\n' for name, address in addresses.items()]
        return "".join(["\n[project.urls]\n", *lines])
