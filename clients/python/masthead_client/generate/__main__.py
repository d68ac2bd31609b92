"""``python -m masthead_client.generate DOCUMENT FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import httpx

from masthead_client.generate.package import files_of


def main() -> None:
    """Write the package; exit with 1 and a line if the document can't be read."""
    parser = argparse.ArgumentParser(
        prog="python -m masthead_client.generate",
        description="Make the package of a typed client for one instance with its plugins.",
    )
    parser.add_argument("document", help="the OpenAPI document: a file, an address, or - for stdin")
    parser.add_argument("folder", type=Path, help="the folder of the package, which is created")
    options = parser.parse_args()
    try:
        files = files_of(read(options.document))
    except ImportError as error:
        sys.exit(f"{error}: pip install 'masthead-client[generate]'")
    except (OSError, ValueError, KeyError, httpx.HTTPError) as error:
        sys.exit(f"{options.document} is no OpenAPI document of Masthead: {error}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (options.folder / name).write_text(text, "utf-8")


def read(source: str) -> dict[str, Any]:
    """Return the document in a file, at an address, or at the standard input."""
    if source == "-":
        content: str | bytes = sys.stdin.buffer.read()
    elif source.startswith(("http://", "https://")):
        content = httpx.get(source).raise_for_status().content
    else:
        content = Path(source).read_bytes()
    document = json.loads(content)
    if not isinstance(document, dict):
        raise ValueError("not an object")
    return document


if __name__ == "__main__":
    main()
