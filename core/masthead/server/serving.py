"""The complete web server: one socket, one or several processes, and optionally a worker."""

from __future__ import annotations

import errno
import faulthandler
import gc
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from masthead.errors import StartError
from masthead.server.access_log import access_log
from masthead.server.events import Events
from masthead.server.http import answer
from masthead.server.memory import return_free_memory
from masthead.server.options import Options
from masthead.server.processes import Supervisor, Target
from masthead.server.proxy import behind_proxies
from masthead.server.service_manager import ServiceManager, passed_socket
from masthead.server.working import Work, work_until_signal

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

_BACKLOG = 1024
_WORKER_END = 2.0  # seconds that a worker has at least
_HARD_END = 5.0  # seconds after the stop timeout in which the process can end by itself
_OTHER_FILES = 200  # files that a process opens besides connections


def serve(
    make_wsgi: Callable[[], WSGIApplication],
    options: Options,
    *,
    before_fork: Callable[[], None] = lambda: None,
    after_start: Callable[[str], None] = lambda _address: None,
    worker: Work | None = None,
    reload: Callable[[], None] = lambda: None,
) -> int:
    """Serve until SIGTERM or SIGINT; call it in the main thread of a program without other threads.

    :param make_wsgi: creates the application, once in each server process. It may have the
        attributes ``immediate_answer``, which is an ``ImmediateAnswer``, and ``handling``, which is
        a ``HandlingOf``.
    :param before_fork: called once, when the socket is open.
    :param after_start: called once with the server's address, when it answers requests.
    :param worker: background work. It runs in a process of its own if there are several processes,
        otherwise in a thread.
    :param reload: called in each process at SIGHUP.
    :returns: the exit code of the program.
    :raises StartError: if the address can't be used or the application can't be created.
    """
    # waitress would log a line for each request that waits for a thread.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    options = replace(options, connection_limit=_allow_connections(options.connection_limit))
    manager = ServiceManager(os.environ)
    with passed_socket(os.environ) or listen(options.host, options.port) as listener:
        before_fork()

        def answer_requests(events: Events) -> None:
            return_free_memory()
            made = _make_without_gc(make_wsgi)
            app = behind_proxies(access_log(made, options.secret_paths), options.trusted_proxies)
            stop.threads_left += answer(
                listener,
                app,
                options,
                replace(events, stopping=_both(events.stopping, stop.begin)),
                immediate_answer=getattr(made, "immediate_answer", None),
                handling_of=getattr(made, "handling", None),
            )

        stop = _Stop(options.stop_timeout)
        events = Events(lambda: after_start(address_of(listener)), listener.close, reload)
        if options.processes == 1:
            _serve_alone(answer_requests, events, worker, stop, manager)
        else:
            _serve_together(answer_requests, events, worker, options, manager)
    stop.end()
    return 0


class _Stop:
    """The stop of a process: an event, and a deadline that holds whatever the threads do."""

    def __init__(self, seconds: float) -> None:
        self.event = threading.Event()
        self.threads_left = 0
        """The number of threads that answer requests and don't end in time."""
        self._seconds = seconds
        self._deadline = 0.0

    def begin(self) -> None:
        """Set the event, and end the process a little after the deadline if it still runs then.

        A thread in an extension module can keep the interpreter to itself, so the timer is one
        that needs no interpreter.
        """
        if not self.event.is_set():
            self._deadline = time.monotonic() + self._seconds
            faulthandler.dump_traceback_later(self._seconds + _HARD_END, exit=True)
            self.event.set()

    def left(self) -> float:
        """Return the seconds in which a worker can still end."""
        return max(_WORKER_END, self._deadline - time.monotonic())

    def end(self) -> None:
        """Cancel the timer, or end the program at once if threads could delay its end."""
        if self.threads_left:
            logging.shutdown()
            os._exit(0)
        faulthandler.cancel_dump_traceback_later()


def _make_without_gc(make_wsgi: Callable[[], WSGIApplication]) -> WSGIApplication:
    """Create the application and exclude its objects from garbage collection."""
    gc.disable()
    try:
        return make_wsgi()
    finally:
        gc.freeze()
        gc.enable()


def _serve_alone(
    target: Target, events: Events, worker: Work | None, stop: _Stop, manager: ServiceManager
) -> None:
    """Run the server, and the worker in a thread; RuntimeError if the worker ends by itself."""
    ended = threading.Event()

    def work(worker: Work) -> None:
        try:
            worker.run(stop.event)
        finally:
            if not stop.event.is_set():
                # A process supervisor restarts the program, and with it the worker.
                ended.set()
                os.kill(os.getpid(), signal.SIGTERM)

    threads: list[threading.Thread] = []
    if worker is not None:
        threads.append(threading.Thread(target=work, args=(worker,), name="worker", daemon=True))

    def start() -> None:
        for thread in threads:
            thread.start()
        events.ready()

    lives = (lambda: True) if worker is None else worker.lives
    try:
        target(manager.telling(replace(events, ready=start), lives))
    finally:
        stop.begin()
        for thread in threads:
            if thread.ident is not None:
                thread.join(stop.left())
    if ended.is_set():
        raise RuntimeError("the worker ended")


def _serve_together(
    target: Target,
    events: Events,
    worker: Work | None,
    options: Options,
    manager: ServiceManager,
) -> None:
    if not hasattr(os, "fork"):
        raise StartError("several processes need a system that can fork")
    targets = [target] * options.processes
    if worker is not None:

        def run_worker(of_child: Events) -> None:
            events.stopping()  # closes the socket in the process of the worker
            work_until_signal(worker, options.stop_timeout, signal.SIGTERM, events=of_child)

        targets.append(run_worker)
    # The children need the whole timeout before they are killed.
    supervisor = Supervisor(targets, options.stop_timeout + 5, events.reload, manager.pause)
    supervisor.run(manager.telling(events))


def _both(first: Callable[[], None], second: Callable[[], None]) -> Callable[[], None]:
    def call() -> None:
        first()
        second()

    return call


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    :raises StartError: if the address is taken, not available or not permitted.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server(
            (host, port), family=family, backlog=_BACKLOG, dualstack_ipv6=host == "::"
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "another program listens there"
        elif error.errno == errno.EACCES:
            reason = "a port below 1024 needs CAP_NET_BIND_SERVICE; use a reverse proxy instead"
        else:
            reason = (error.strerror or str(error)).lower()
        raise StartError(f"can't listen on {host} port {port}: {reason}") from error


def address_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    return http_address(*listener.getsockname()[:2])


def http_address(host: str, port: int) -> str:
    """Return the URL of a host, which may be an IPv6 address, and a port."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def lack_of_files(connections: int) -> str | None:
    """Return whether the system allows this process fewer files than the connections need."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= connections + _OTHER_FILES:
        return None
    return f"the limit of open files ({hard}) allows fewer connections than set"


def _allow_connections(wanted: int) -> int:
    """Raise the limit of open files if needed; return the number of connections it allows."""
    try:
        import resource
    except ImportError:  # not on Windows
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    logger.warning("The limit of open files (%d) allows fewer connections than set", soft)
    return max(soft - _OTHER_FILES, soft // 2)
