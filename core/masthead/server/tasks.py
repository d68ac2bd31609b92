"""The tasks of a connection: answering a request, and checking a head before the body comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waitress.channel import ClientDisconnected
from waitress.task import WSGITask
from waitress.utilities import InternalServerError, build_http_date

from masthead.http.environ import HEAD_ONLY, HOLD, IMMEDIATE_ANSWER, Held
from masthead.server.access_log import redact_path
from masthead.server.parser import Parser
from masthead.server.refusals import Overloaded, RefusalTask

if TYPE_CHECKING:
    from masthead.server.channel import Channel


class RequestTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """Runs the application for a request and sends its response."""

    held: Held | None = None
    """The further parts of the response, if it stays open."""

    def execute(self) -> None:
        """Call the application and send its response.

        :raises RuntimeError: for a panic of an extension module. It is no ``Exception``, so
            waitress would never answer the client.
        """
        try:
            super().execute()
        except BaseException as error:
            # waitress logs the path, which may contain a secret.
            secret_paths = self.channel.server.options.secret_paths
            self.request.path = redact_path(self.request.path, secret_paths)
            if isinstance(error, Exception):
                raise
            raise RuntimeError("The application panicked") from error

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environ; the channel keeps it for a later error response."""
        environ: dict[str, Any] = super().get_environment()
        # waitress removes repeated slashes.
        environ["PATH_INFO"] = self.request.path
        environ["SERVER_SOFTWARE"] = "masthead"
        environ[HOLD] = self._hold
        environ["wsgi.multiprocess"] = self.channel.server.options.processes > 1
        if self.request.immediate_answer is not None:
            environ[IMMEDIATE_ANSWER] = self.request.immediate_answer
        self.channel.environ = environ
        return environ

    def _hold(self, held: Held) -> None:
        self.held = held

    def finish(self) -> None:
        """End the response, or leave it open for its further parts."""
        if self.held is None:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.hold(self.held, chunked=self.chunked_response)

    def build_response_header(self) -> bytes:
        """Return the head of the response; for an immediate answer without waitress's checks.

        waitress normalises and sorts all headers and adds missing ones, which an immediate answer
        doesn't need.
        """
        connection = self.request.headers.get("CONNECTION", "").lower()
        usual = self.version == "1.1" and self.status.startswith("200") and connection != "close"
        if self.request.immediate_answer is None or not usual or self.content_length is None:
            return bytes(super().build_response_header())
        date = ("Date", build_http_date(self.start_time))
        lines = [f"HTTP/1.1 {self.status}", *map(": ".join, [*self.response_headers, date])]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class HeadTask(RequestTask):
    """Asks the application whether it wants the body; sends its response only if it doesn't."""

    wants_body = False

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environ, marked as one without a body."""
        environ = super().get_environment()
        environ[HEAD_ONLY] = True
        return environ

    def execute(self) -> None:
        """Call the application; the connection closes after a response."""
        # The client may still be sending the body.
        self.channel.refused = True
        self.set_close_on_finish()
        super().execute()

    def write(self, data: bytes) -> None:
        """Send a part of the response, unless it is the one that asks for the body."""
        self.wants_body = self.complete and self.status.startswith("100")
        if not self.wants_body:
            super().write(data)


class HeadCheck:
    """Checks the head of a held request in a thread of a pool."""

    queued_at = 0.0

    def __init__(self, channel: Channel, request: Parser) -> None:
        self._channel = channel
        self._request = request

    def service(self) -> None:
        """Ask the application, then have the body received or the connection closed."""
        channel, task = self._channel, HeadTask(self._channel, self._request)
        try:
            task.service()
        except ClientDisconnected:
            pass
        except Exception:
            channel.logger.exception("The check of a request's head failed")
            task.wants_body = False
            if not task.wrote_header:
                self._answer(InternalServerError(""))
        if task.wants_body:
            channel.refused = False
            channel.server.call_soon(channel.receive_body)
        else:
            channel.close_after_refusal()

    def refuse(self) -> None:
        """Answer with 503, in the main thread."""
        if self._channel.total_outbufs_len:
            # Sending could wait for the client.
            self._channel.handle_close()
            return
        self._answer(Overloaded())
        self._channel.close_after_refusal()

    def cancel(self) -> None:
        """Close the connection, because the server stops."""
        self._channel.cancel()

    def _answer(self, error: Any) -> None:
        self._request.error = error
        try:
            RefusalTask(self._channel, self._request).service()
        except ClientDisconnected:
            pass
