"""Starts processes that a test kills; run as a program, with the address of a database.

Each line that comes in starts one, which needs no time for loading: ``import FILE`` or ``work``. It
says ``begins PID``, then ``done PID`` or ``fails PID``. A worker is done when nothing is due.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from sqlalchemy.orm import Session

from masthead import Instance, Mail, Plugin, hookimpl, record
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.worker.worker import Worker
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.plugin import plugin as crm


class Post:
    """Notes whom it was given a mail for, and takes its time for it."""

    @hookimpl
    def masthead_deliver_mail(self, session: Session, mail: Mail) -> bool:
        record(session, "post.mail", None, to=mail.to)
        time.sleep(0.002)
        return True


def run_import(instance: Instance, path: str) -> None:
    """Import a file."""
    with Path(path).open("rb") as file:
        CONTACTS_CSV.run(instance, file)


def work(instance: Instance) -> None:
    """Do what is due, until nothing is."""
    worker = Worker(instance)
    while (rest := worker.turn()) <= 1:
        time.sleep(min(rest, 0.01))


def say(word: str) -> None:
    """Tell how far this process is."""
    sys.stdout.write(f"{word} {os.getpid()}\n")
    sys.stdout.flush()


def main() -> None:
    """Start what standard input says."""
    ini = {"masthead.database.url": sys.argv[1], "masthead.plugins": "crm post"}
    found = {"core": core, "crm": crm, "post": Plugin(name="post", hooks=(Post(),))}
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        task, *arguments = line.split()
        if os.fork():
            continue
        instance = open_instance(ini, {}, found)
        say("begins")
        word = "fails"
        try:
            {"import": run_import, "work": work}[task](instance, *arguments)
            word = "done"
        finally:
            say(word)
        os._exit(0)


if __name__ == "__main__":
    main()
