"""The reference for Masthead: a Pyramid view on waitress that answers with prepared bytes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pyramid.config import Configurator
from pyramid.response import Response
from waitress.server import create_server


def main() -> None:
    """Serve the bytes of a file at ``/api/news`` on a free port, and print the address."""
    body, threads = Path(sys.argv[1]).read_bytes(), int(sys.argv[2])

    def view(_request: Any) -> Response:
        return Response(body, content_type="application/json", charset=None)

    config = Configurator()
    config.add_route("news", "/api/news")
    config.add_view(view, route_name="news")
    server = create_server(config.make_wsgi_app(), host="127.0.0.1", port=0, threads=threads)
    sys.stdout.write(f"answers at http://127.0.0.1:{server.effective_port}\n")
    sys.stdout.flush()
    server.run()


if __name__ == "__main__":
    main()
