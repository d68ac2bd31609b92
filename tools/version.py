"""Print the version of Masthead; with an argument, set it in all files."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from tools.workspace import ROOT, current_version, distributions, required_core

FORM = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
VERSION = re.compile(r'^version = ".*"$', re.MULTILINE)
NPM_VERSION = re.compile(r'^  "version": ".*"', re.MULTILINE)
REQUIREMENT = re.compile(r"masthead-core>=[\w.]+,<[\w.]+")
"""The form of the requirement on core in plugins, examples and the pages that quote them."""


def main() -> None:
    """Print the version, or set the given one."""
    parser = argparse.ArgumentParser(prog="dev.py version", description=__doc__)
    parser.add_argument("version", nargs="?", help="such as 0.2.0 or 0.2.0rc1")
    version = parser.parse_args().version
    if version is None:
        print(current_version())
    elif FORM.fullmatch(version):
        set_version(version)
    else:
        sys.exit(f"dev.py version: {version} is not of the form 0.2.0 or 0.2.0rc1")


def set_version(version: str) -> None:
    """Write the version into each pyproject.toml and package.json, and the required core."""
    declared = [each.folder / "pyproject.toml" for each in distributions()]
    for path in declared:
        _rewrite(path, VERSION, f'version = "{version}"')
    for path in [*declared, *ROOT.glob("examples/*/pyproject.toml"), *ROOT.glob("docs/*.md")]:
        _rewrite(path, REQUIREMENT, required_core(version))
    # npm writes pre-releases as 0.2.0-rc.1.
    of_npm = re.sub(r"([a-z]+)", r"-\1.", version)
    for path in ROOT.glob("clients/*/package.json"):
        _rewrite(path, NPM_VERSION, f'  "version": "{of_npm}"')


def _rewrite(path: Path, pattern: re.Pattern[str], text: str) -> None:
    before = path.read_text("utf-8")
    after = pattern.sub(text, before)
    if after != before:
        path.write_text(after, "utf-8")
        print(f"{path.relative_to(ROOT)}: {text}")


if __name__ == "__main__":
    main()
