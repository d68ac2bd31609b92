"""Make the generated files of clients/python; --check only names those that differ."""

from __future__ import annotations

import argparse
import json
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.workspace import ROOT

PACKAGE = ROOT / "clients/python/masthead_client"


def main() -> None:
    """Write the files that differ; with --check, exit with 1 and their names."""
    parser = argparse.ArgumentParser(prog="python -m tools.client", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    if options.check:
        found = differing(interface())
        if found:
            sys.exit("\n".join(f"{path.relative_to(ROOT)} differs" for path in found))
        return
    # The package can't be imported while its synchronous part is outdated.
    write(differing_base())
    write(differing(interface()))


def interface() -> dict[str, Any]:
    """Return the OpenAPI document."""
    printed = subprocess.run(["masthead", "openapi"], stdout=subprocess.PIPE, check=True)
    return dict(json.loads(printed.stdout))


def write(files: Mapping[Path, str]) -> None:
    """Write files, and print their names."""
    for path, text in files.items():
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


def differing(document: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text of each generated file that has another one."""
    from masthead_client.generate.package import files_of

    made = {PACKAGE / "generated" / name: text for name, text in files_of(document).items()}
    return differing_base() | _different(made)


def differing_base() -> dict[Path, str]:
    """Return the same of the file that is made from another one of the package."""
    synchronous = runpy.run_path(str(PACKAGE / "generate/synchronous.py"))["synchronous"]
    source = (PACKAGE / "asynchronous.py").read_text("utf-8")
    return _different({PACKAGE / "synchronous.py": synchronous(source)})


def _different(made: Mapping[Path, str]) -> dict[Path, str]:
    return {
        path: text
        for path, text in made.items()
        if not path.is_file() or path.read_text("utf-8") != text
    }


if __name__ == "__main__":
    main()
