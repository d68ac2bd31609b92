"""A connection on which one letter after the other is handed over, never waiting without need."""

from __future__ import annotations

import re
import ssl
import time
from collections import deque
from collections.abc import Callable

from masthead_email.results import Envelope, Result, failed, paused, requeued, retried, sent
from masthead_email.smtp.opening import PIPELINING, SMTPUTF8, Opened
from masthead_email.smtp.replies import ProtocolError, Replies, Reply

_READ = 65536
_DOT = re.compile(rb"\n\.")
"""Found in less than half of the time that ``in`` takes, in all that is sent."""
_BROKEN = (OSError, ProtocolError)
_WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Channel:
    """Hands letters over on an open connection.

    Where the relay takes pipelining, the write that ends a letter also carries the envelope of the
    next: a letter costs one round trip. Else each command waits for the reply to the one before.
    Nothing ends a letter but ``go()``, so that what happened to the one before is safe by then.
    """

    closed = False
    busy = False
    """Whether the relay closed it because it has too many."""
    confused = False
    """Whether the relay answered as none may, perhaps for want of pipelining."""
    handed_over = 0
    """How many letters the relay took."""
    deadline = float("inf")
    """When the relay has to have answered."""

    def __init__(self, opened: Opened, timeout: float, *, lock_step: bool = False) -> None:
        self._socket = opened.socket
        self._socket.setblocking(False)
        self._utf8 = SMTPUTF8 in opened.extensions
        self._pipelining = PIPELINING in opened.extensions and not lock_step
        self._timeout = timeout
        self._replies = Replies()
        self._commands: deque[tuple[Callable[[Reply], None], bytes]] = deque()
        """What is still to be written, with what takes the reply."""
        self._awaited: deque[Callable[[Reply], None]] = deque()
        self._unwritten = b""
        self._results: list[Result] = []
        self._offered: Envelope | None = None
        self._envelope: Envelope | None = None
        """Whose envelope the relay has, or is being told."""
        self._ready = False
        """Whether the relay waits for that letter."""
        self._heard = False
        """Whether the relay has begun to answer to it."""
        self._given_up = False
        """Whether it came to nothing, and only replies are still to come."""
        self._letter: Envelope | None = None
        """What was handed over and isn't acknowledged."""
        self._dirty = False
        """Whether the relay may hold an envelope that came to nothing."""

    def fileno(self) -> int:
        """For a selector."""
        return self._socket.fileno()

    @property
    def hungry(self) -> bool:
        """Whether it can take another letter."""
        if self.closed or self._offered is not None:
            return False
        return self._ready or (self._envelope is None and self._letter is None)

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, nor told."""
        return self._offered is self._envelope is self._letter is None and not self._results

    @property
    def tells(self) -> bool:
        """Whether it has results to tell, without anything having to arrive."""
        return bool(self._results)

    @property
    def writing(self) -> bool:
        """Whether it waits until it can write on."""
        return bool(self._unwritten)

    def offer(self, envelope: Envelope) -> None:
        """Give it the next letter, while it is hungry."""
        self._offered = envelope

    def go(self) -> None:
        """Hand over the letter that the relay waits for, and tell it of the next one."""
        if self.closed:
            return
        if self._ready:
            assert self._envelope is not None
            self._letter, self._envelope = self._envelope, None
            self._ready = self._heard = False
            self._say(self._on_letter, dotted(self._letter.content))
        # Without pipelining, replies to the envelope come after the one to the letter.
        if self._offered is not None and self._envelope is None:
            self._envelope, self._offered = self._offered, None
            self._begin(self._envelope)
        self._pump()

    def receive(self) -> list[Result]:
        """What became of letters since it was last asked."""
        if not self.closed:
            try:
                self._read()
            except _BROKEN as error:
                self.confused = isinstance(error, ProtocolError)
                self._break(str(error) or type(error).__name__)
        return self._take_results()

    def expire(self) -> list[Result]:
        """Give up on a relay that doesn't answer."""
        # One that has answered to the first command alone never took note of the others.
        self.confused = self._heard and len(self._awaited) == 2 and not self.handed_over
        self._break(f"no answer within {self._timeout:g} s")
        return self._take_results()

    def quit(self) -> None:
        """Say goodbye, where nothing is on its way, and close."""
        if not self.closed:
            try:
                self._socket.send(b"QUIT\r\n")
            except OSError:
                pass
        self.close()

    def close(self) -> None:
        """Close the connection, whatever is on its way."""
        self.closed = True
        self._socket.close()

    def _begin(self, envelope: Envelope) -> None:
        if envelope.utf8 and not self._utf8:
            self._results.append(failed(envelope, "The relay takes no addresses in other scripts"))
            self._forget_envelope()
            return
        if self._dirty:
            self._say(self._on_reset, b"RSET\r\n")
            self._dirty = False
        options = b" SMTPUTF8" if envelope.utf8 else b""
        self._say(self._on_mail, b"MAIL FROM:<%b>%b\r\n" % (envelope.sender, options))
        self._say(self._on_recipient, b"RCPT TO:<%b>\r\n" % envelope.recipient)
        self._say(self._on_data, b"DATA\r\n")

    def _say(self, take: Callable[[Reply], None], octets: bytes) -> None:
        self._commands.append((take, octets))

    def _pump(self) -> None:
        """Write what may be written now."""
        wanted = []
        while self._commands and (self._pipelining or not self._awaited):
            take, octets = self._commands.popleft()
            wanted.append(octets)
            self._awaited.append(take)
            self.deadline = time.monotonic() + self._timeout
        self._unwritten += b"".join(wanted)
        self.write()

    def write(self) -> None:
        """Write on, as far as the relay takes it."""
        if self.closed or not self._unwritten:
            return
        try:
            written = self._socket.send(self._unwritten)
        except _WOULD_BLOCK:
            return
        except OSError as error:
            self._break(str(error))
            return
        self._unwritten = self._unwritten[written:]
        if self._unwritten:
            self.deadline = time.monotonic() + self._timeout

    def _read(self) -> None:
        octets = True
        while octets:
            try:
                got = self._socket.recv(_READ)
            except _WOULD_BLOCK:
                return
            if not got:
                raise ConnectionError("the relay closed the connection")
            for reply in self._replies.feed(got):
                self._take(reply)
                if self.closed:
                    return
            # TLS may hold more than it has shown; of a plain socket the selector tells.
            octets = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _take(self, reply: Reply) -> None:
        if reply.closing:
            self.busy = True
            self._break(str(reply))
            return
        if not self._awaited:
            raise ProtocolError(f"a reply to nothing: {reply}")
        self._awaited.popleft()(reply)
        if not self._awaited:
            self.deadline = float("inf")
        if self._commands:
            self._pump()

    def _on_reset(self, reply: Reply) -> None:
        if not reply.positive:
            raise ProtocolError(f"RSET: {reply}")

    def _on_mail(self, reply: Reply) -> None:
        envelope = self._told()
        if reply.positive:
            self._heard = True
            return
        if reply.code < 400:
            raise ProtocolError(f"MAIL: {reply}")
        verdict = retried if reply.passing else paused
        self._give_up(verdict(envelope, str(reply)))

    def _on_recipient(self, reply: Reply) -> None:
        if self._given_up or reply.positive:
            return
        if reply.code < 400:
            raise ProtocolError(f"RCPT: {reply}")
        self._give_up(_refused(self._told(), reply))

    def _on_data(self, reply: Reply) -> None:
        if reply.code < 354:
            raise ProtocolError(f"DATA: {reply}")
        if self._given_up:
            # A relay that takes a letter to nobody gets an empty one, which it has to refuse.
            if reply.code == 354:
                self._say(self._on_nothing, b".\r\n")
            else:
                self._forget_envelope()
        elif reply.code == 354:
            self._ready = True
        else:
            self._give_up(_refused(self._told(), reply))
            self._forget_envelope()

    def _on_nothing(self, _reply: Reply) -> None:
        """Whatever it says of an empty letter to nobody, the next one can begin."""
        self._forget_envelope()

    def _on_letter(self, reply: Reply) -> None:
        letter, self._letter = self._letter, None
        assert letter is not None
        if reply.positive:
            self.handed_over += 1
            self._results.append(sent(letter))
            return
        if reply.code < 400:
            raise ProtocolError(f"the end of a letter: {reply}")
        self._results.append(_refused(letter, reply))

    def _told(self) -> Envelope:
        assert self._envelope is not None
        return self._envelope

    def _give_up(self, result: Result) -> None:
        """Note what became of the envelope that the relay is being told."""
        self._results.append(result)
        self._given_up = self._dirty = True
        if not self._pipelining:
            self._commands.clear()
            self._forget_envelope()

    def _forget_envelope(self) -> None:
        self._envelope, self._given_up, self._heard = None, False, False

    def _break(self, why: str) -> None:
        """Close, and say what that means for what is on its way."""
        # Relays end connections after so many letters: that is no try of the next one. Nor is what
        # befell the letter before it. But what was being told when it ended may be the reason.
        untried = not self._heard and (bool(self.handed_over) or self._letter is not None)
        if self._letter is not None:
            # It may have arrived; its Message-ID tells who gets it twice.
            self._results.append(retried(self._letter, why))
        told = None if self._given_up else self._envelope
        for envelope in (told, self._offered):
            if envelope is not None:
                verdict = requeued if untried or envelope is self._offered else retried
                self._results.append(verdict(envelope, why))
        self._letter = self._envelope = self._offered = None
        self._ready = self._given_up = False
        self._commands.clear()
        self._awaited.clear()
        self.close()

    def _take_results(self) -> list[Result]:
        results, self._results = self._results, []
        return results


def _refused(envelope: Envelope, reply: Reply) -> Result:
    if reply.passing:
        return retried(envelope, str(reply))
    return failed(envelope, str(reply), condemned=reply.condemns_address)


def dotted(content: bytes) -> bytes:
    """A letter as DATA carries it: dots at the start of lines doubled, and the dot that ends it."""
    if _DOT.search(content) or content.startswith(b"."):
        content = (b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:]
    return content + (b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n")
