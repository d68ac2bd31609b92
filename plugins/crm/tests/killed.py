"""A program that starts processes for a test to kill; its argument is the URL of a database.

Each line of standard input forks a process: ``import FILE`` or ``work``. The process prints
``begins PID`` and then ``done PID`` or ``fails PID``. A worker is done when nothing is due.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from sqlalchemy.orm import Session

from masthead import AuditAction, Instance, Mail, Plugin, hookimpl, record
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.worker.worker import Worker
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.plugin import plugin as crm


class MailPlugin:
    """A plugin that records each mail in the audit log, slowly."""

    @hookimpl
    def masthead_audit_actions(self) -> list[AuditAction]:
        return [AuditAction("post.mail", "A mail was handed over.")]

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
    """Run due jobs until none is left."""
    worker = Worker(instance)
    while (rest := worker.turn()) <= 1:
        time.sleep(min(rest, 0.01))


def say(word: str) -> None:
    """Print a message with the id of the process."""
    sys.stdout.write(f"{word} {os.getpid()}\n")
    sys.stdout.flush()


def main() -> None:
    """Start the processes that standard input names."""
    ini = {"masthead.database.url": sys.argv[1], "masthead.plugins": "crm post"}
    found = {"core": core, "crm": crm, "post": Plugin(name="post", hooks=(MailPlugin(),))}
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
