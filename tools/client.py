"""Make the generated files of clients/python; --check only names those that differ."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from masthead_client.generate.package import files_of
from masthead_client.generate.synchronous import synchronous
from tools.workspace import ROOT

PACKAGE = ROOT / "clients/python/masthead_client"


def main() -> None:
    """Write the files that differ; with --check, exit with 1 and their names."""
    parser = argparse.ArgumentParser(prog="python -m tools.client", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    printed = subprocess.run(["masthead", "openapi"], stdout=subprocess.PIPE, check=True)
    found = differing(json.loads(printed.stdout))
    if options.check and found:
        sys.exit("\n".join(f"{path.relative_to(ROOT)} differs" for path in found))
    for path, text in found.items():
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


def differing(document: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text of each generated file that has another one."""
    source = (PACKAGE / "asynchronous.py").read_text("utf-8")
    made = {PACKAGE / "synchronous.py": synchronous(source)}
    made |= {PACKAGE / "generated" / name: text for name, text in files_of(document).items()}
    return {
        path: text
        for path, text in made.items()
        if not path.is_file() or path.read_text("utf-8") != text
    }


if __name__ == "__main__":
    main()
