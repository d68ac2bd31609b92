"""The distributions of this repository, and the values that they share."""

from __future__ import annotations

import itertools
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Distribution:
    """A folder with a pyproject.toml of its own: core, a plugin or a client."""

    folder: Path

    @cached_property
    def declaration(self) -> dict[str, Any]:
        """The content of its pyproject.toml."""
        return tomllib.loads((self.folder / "pyproject.toml").read_text("utf-8"))

    @property
    def name(self) -> str:
        """The name under which it is installed, such as "masthead-news"."""
        return str(self.declaration["project"]["name"])

    @property
    def version(self) -> str:
        """Its version."""
        return str(self.declaration["project"]["version"])

    @property
    def package(self) -> str:
        """The name under which it is imported, such as "masthead_news"."""
        return str(self.declaration["tool"]["flit"]["module"]["name"])

    @property
    def is_plugin(self) -> bool:
        """Whether it is a plugin; core is one, too."""
        return "masthead.plugins" in self.declaration["project"].get("entry-points", {})

    @property
    def needs_core(self) -> bool:
        """Whether it is a plugin beside core."""
        return self.is_plugin and self.name != "masthead-core"

    @property
    def stem(self) -> str:
        """The beginning of the names of its wheel and sdist."""
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def license_files(self) -> list[str]:
        """The license files that it ships."""
        return [str(name) for name in self.declaration["project"]["license-files"]]

    def files(self, *options: str) -> list[str]:
        """Return the paths in its folder that "git ls-files" lists; by default the tracked ones."""
        command = ["git", "ls-files", "-z", *options]
        listing = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, check=True)
        names = [name for name in listing.stdout.decode().split("\0") if name]
        return [name for name in names if (self.folder / name).is_file()]


def distributions() -> list[Distribution]:
    """Return core, the plugins and the client, which are released together."""
    found = (sorted(ROOT.glob(f"{folder}/*/pyproject.toml")) for folder in ("plugins", "clients"))
    paths = [ROOT / "core/pyproject.toml", *itertools.chain(*found)]
    return [Distribution(path.parent) for path in paths]


def current_version() -> str:
    """Return the version that all distributions share."""
    [version] = {distribution.version for distribution in distributions()}
    return version


def repository() -> str:
    """Return the public address of the repository; blank if there is none yet."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return str(declared["tool"]["masthead"]["repository"]).rstrip("/")


def required_core(version: str) -> str:
    """Return the requirement on core of a plugin that was written for this version of core.

    The next minor version is excluded, because core may remove deprecated names in it.
    """
    major, minor, patch = version.split(".")
    floor = f"{major}.{minor}" if patch.isdigit() else version
    return f"masthead-core>={floor},<{major}.{int(minor) + 1}"
