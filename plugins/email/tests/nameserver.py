"""A DNS server for tests, which answers questions for TXT records."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


@contextlib.contextmanager
def nameserver(records: Mapping[str, Sequence[str]], *, silent: bool = False) -> Iterator[str]:
    """Run a server in a thread; yield its address and port.

    :param records: the TXT records by name, without the final dot.
    :param silent: whether it answers nothing.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.bind(("127.0.0.1", 0))
        opened.settimeout(0.1)
        stop = threading.Event()

        def serve() -> None:
            while not stop.is_set():
                try:
                    octets, client = opened.recvfrom(4096)
                except TimeoutError:
                    continue
                if not silent:
                    opened.sendto(_answer(records, octets), client)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{opened.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def _answer(records: Mapping[str, Sequence[str]], octets: bytes) -> bytes:
    question = dns.message.from_wire(octets)
    answer = dns.message.make_response(question)
    name = question.question[0].name
    texts = records.get(name.to_text().rstrip("."))
    if texts is None:
        answer.set_rcode(dns.rcode.NXDOMAIN)
    elif texts and question.question[0].rdtype == dns.rdatatype.TXT:
        quoted = [
            " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))
            for text in texts
        ]
        answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", *quoted))
    return answer.to_wire()
