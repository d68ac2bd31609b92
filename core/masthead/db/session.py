"""``request.db``: the request's session, part of the request's transaction."""

from __future__ import annotations

from pyramid.config import Configurator
from pyramid.request import Request
from pyramid_retry import IBeforeRetry
from sqlalchemy.orm import Session
from zope.sqlalchemy import datamanager

from masthead.db.engine import Database

_READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def includeme(config: Configurator) -> None:
    """Add ``request.db`` and a transaction per request: returning commits, raising rolls back.

    ``config.registry["masthead.database"]`` has to hold the :class:`Database`.
    """
    config.add_settings(
        {
            "tm.manager_hook": "pyramid_tm.explicit_manager",
            # Else every request, public ones too, would first look up who asks.
            "tm.annotate_user": "false",
            "retry.attempts": "3",
        }
    )
    config.include("pyramid_tm")
    # A request that PostgreSQL picks to end a deadlock is asked again: by then the way is free.
    config.include("pyramid_retry")
    config.add_subscriber(_rewind, IBeforeRetry)
    config.add_request_method(request_session, "db", reify=True)


def _rewind(event: IBeforeRetry) -> None:
    """Let the next attempt read the body again."""
    event.request.make_body_seekable()


def request_session(request: Request) -> Session:
    """Return a session that ends with the request; GET, HEAD and OPTIONS can only read."""
    database: Database = request.registry["masthead.database"]
    reading = request.method in _READING_METHODS
    session = database.session(read_only=reading)
    # Joined as changed from the start: a statement of SQLAlchemy Core isn't noticed otherwise, and
    # what it wrote would be rolled back.
    state = datamanager.STATUS_READONLY if reading else datamanager.STATUS_CHANGED
    datamanager.join_transaction(session, state, transaction_manager=request.tm)
    return session
