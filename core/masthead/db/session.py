"""``request.db``: the request's session, part of the request's transaction."""

from __future__ import annotations

from pyramid.config import Configurator
from pyramid.request import Request
from pyramid_retry import IBeforeRetry
from sqlalchemy.orm import Session
from zope.sqlalchemy import datamanager

from masthead.db.engine import Database

READING_SESSION = "masthead.reading_session"
"""The key in the WSGI environ of a function that returns a session for reading, or None. A request
that reads calls it at most once."""
_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def includeme(config: Configurator) -> None:
    """Add ``request.db`` and a transaction per request, rolled back if the view raises.

    ``config.registry["masthead.database"]`` must be the :class:`Database`.
    """
    config.add_settings(
        {
            "tm.manager_hook": "pyramid_tm.explicit_manager",
            # Otherwise every request, even a public one, would authenticate its caller.
            "tm.annotate_user": "false",
            "retry.attempts": "3",
        }
    )
    config.include("pyramid_tm")
    # PostgreSQL ends a deadlock by aborting one transaction; its request is then repeated.
    config.include("pyramid_retry")
    config.add_subscriber(_rewind, IBeforeRetry)
    config.add_request_method(request_session, "db", reify=True)


def _rewind(event: IBeforeRetry) -> None:
    """Rewind the body so that the next attempt can read it again."""
    event.request.make_body_seekable()


def request_session(request: Request) -> Session:
    """Return a session that ends with the request; for GET, HEAD and OPTIONS it is read-only."""
    database: Database = request.registry["masthead.database"]
    reading = request.method in _READING_METHODS
    lend = request.environ.pop(READING_SESSION, None) if reading else None
    session = (lend and lend()) or database.session(read_only=reading)
    # The session joins as changed: zope.sqlalchemy doesn't notice statements of SQLAlchemy Core,
    # and would roll back their writes.
    state = datamanager.STATUS_READONLY if reading else datamanager.STATUS_CHANGED
    datamanager.join_transaction(session, state, transaction_manager=request.tm)
    return session
