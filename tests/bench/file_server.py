"""The reference for images: waitress, which sends a file by its own wrapper."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from waitress.server import create_server


def main() -> None:
    """Serve a file at every path of a free port, and print the address."""
    path, threads = Path(sys.argv[1]), int(sys.argv[2])

    def app(environ: Any, start_response: Any) -> Any:
        file = path.open("rb")
        length = ("Content-Length", str(path.stat().st_size))
        start_response("200 OK", [("Content-Type", "image/jpeg"), length])
        return environ["wsgi.file_wrapper"](file, 256 * 1024)

    server = create_server(app, host="127.0.0.1", port=0, threads=threads)
    sys.stdout.write(f"answers at http://127.0.0.1:{server.effective_port}\n")
    sys.stdout.flush()
    server.run()


if __name__ == "__main__":
    main()
