"""A program that serves a small application; its argument is the options as JSON."""

from __future__ import annotations

import ctypes
import json
import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from masthead.errors import StartError
from masthead.http.environ import Handling
from masthead.server import Options, serve
from masthead.server.log_handler import LogHandler
from masthead.server.options import networks
from masthead.server.working import Work

HEADERS = (("Access-Control-Allow-Origin", "*"), ("X-Content-Type-Options", "nosniff"))


class Panic(BaseException):
    """The exception of a panicking extension module."""


def app(environ: Any, start_response: Any) -> Any:
    path = environ["PATH_INFO"]
    query = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
    environ["masthead.user"] = "ada"
    environ["masthead.request_id"] = "app-1"
    if path.endswith("/slow"):
        Path("slow").write_text("begun")
        time.sleep(float(query["seconds"]))
    elif path == "/hold":
        Path("slow").write_text("begun")
        time.sleep(1)
        keep_the_interpreter(float(query["seconds"]))
    elif path in ("/raise", "/immediate/raise"):
        raise ValueError("secret detail")
    elif "masthead.head_only" in environ:
        return answer_head(path, start_response)
    elif path == "/secret/raise/hush":
        raise ValueError
    elif path == "/panic":
        raise Panic
    elif path == "/large":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return (b"x" * 65536 for _ in range(int(query["chunks"])))
    told = {
        "pid": os.getpid(),
        "thread": threading.current_thread().name,
        "immediate_answer": environ.get("masthead.immediate_answer"),
        "path": path,
        "method": environ["REQUEST_METHOD"],
        "client": environ["REMOTE_ADDR"],
        "scheme": environ["wsgi.url_scheme"],
        "length": len(environ["wsgi.input"].read()),
    }
    body = json.dumps(told).encode() + b" " * int(query.get("blanks", 0))
    headers = [("Content-Length", str(len(body))), ("X-Request-Id", "answer-1")]
    start_response("200 OK", headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def keep_the_interpreter(seconds: float) -> None:
    """Let no other thread run for some time, as a slow extension module does."""
    ctypes.PyDLL(None).usleep(int(seconds * 1_000_000))


def answer_head(path: str, start_response: Any) -> Any:
    """Ask for the body, unless the path contains "forbidden"."""
    if "forbidden" not in path:
        start_response("100 Continue", [])
        return []
    start_response("403 Forbidden", [("Content-Length", "2"), ("X-Request-Id", "answer-1")])
    return [b"no"]


def immediate_answer(method: str, path: str, query: str, accepted: str) -> Any:
    """Return an immediate answer for paths that start with /immediate."""
    return f"{method} {path} {query} {accepted}".strip() if path.startswith("/immediate") else None


def handling(method: str, path: str, query: str) -> Handling:  # noqa: ARG001 - the server's call
    """Return the pool that the path names, and the body limit that it names."""
    words = [*path.split("/"), ""]
    limit = next((int(word) for word in words if word.isdecimal()), 1_000_000)
    return Handling("passwords" if path == "/slow" else words[1], limit)


def make_app() -> Any:
    if Path("refuse-to-start").exists():
        raise StartError("the application can't be made")
    app.immediate_answer = immediate_answer
    app.handling = handling
    return app


def worker(stop: Any) -> None:
    Path("worker").write_text(str(os.getpid()))
    stop.wait()
    Path("worker").write_text("stopped")


def dying_worker(_stop: Any) -> None:
    raise OSError("the worker's disk is gone")


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    wanted = json.loads(sys.argv[1])
    workers = {"lives": worker, "dies": dying_worker}
    chosen = workers.get(wanted.pop("worker", ""))
    work = Work(chosen, lambda: not Path("hung").exists()) if chosen else None
    wanted["trusted_proxies"] = networks(wanted.get("trusted_proxies", ""))
    wanted["secret_paths"] = ("/secret/",)
    handlers = [LogHandler()]
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s", handlers=handlers)
    try:
        return serve(
            make_app,
            Options(headers=HEADERS, **{"port": 0, **wanted}),
            before_fork=lambda: tell("before"),
            after_start=tell,
            worker=work,
        )
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
