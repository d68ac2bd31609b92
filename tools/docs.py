"""Build the documentation's website into build/docs; --serve serves it locally."""

from __future__ import annotations

import argparse
import shutil
import sys
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from sphinx.cmd.build import main as sphinx

from tools.workspace import ROOT

SITE = ROOT / "build/docs"
CACHE = ROOT / "build/doctrees"


def main() -> None:
    """Build the site, and serve it with --serve."""
    parser = argparse.ArgumentParser(prog="dev.py docs", description=__doc__)
    parser.add_argument("--serve", action="store_true", help="serve the site until Ctrl-C")
    parser.add_argument("--port", type=int, default=8000, help="the port; 8000 by default")
    options = parser.parse_args()
    build()
    if options.serve:
        serve(options.port)


def build() -> None:
    """Build all pages; exit with 1 if there were warnings."""
    arguments = ["--builder", "html", "--conf-dir", str(ROOT / "docs"), "--doctree-dir", str(CACHE)]
    strict = ["--fresh-env", "--fail-on-warning", "--quiet"]
    shutil.rmtree(SITE, ignore_errors=True)
    if sphinx([*arguments, *strict, str(ROOT), str(SITE)]):
        sys.exit("dev.py docs: the site has the problems above")
    # The front page is the repository's README; servers look for index.html.
    shutil.copy(SITE / "README.html", SITE / "index.html")
    print(f"The site is in {SITE.relative_to(ROOT)}; start at index.html")


def serve(port: int) -> None:
    """Serve the site on the loopback interface."""
    handler = partial(SimpleHTTPRequestHandler, directory=SITE)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        sys.exit(f"dev.py docs: port {port}: {error.strerror}")
    with server, suppress(KeyboardInterrupt):
        print(f"The site is at http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
