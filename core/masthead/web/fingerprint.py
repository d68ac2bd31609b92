"""The settings and software versions on which public answers depend."""

from __future__ import annotations

import hashlib

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead.db.changed_tables import touch
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.instance import Instance

_ANSWERS = "answers"
"""The kind of the one :class:`OnceMarker` row whose name is the fingerprint of the answers."""


def note_fingerprint(session: Session, instance: Instance) -> None:
    """Replace the content version if settings or software have changed since the last start.

    It is safe to call this at every start.
    """
    lock(session, "answers")
    fingerprint = _fingerprint(instance)
    known = list(session.scalars(select(OnceMarker.name).where(OnceMarker.kind == _ANSWERS)))
    if known != [fingerprint]:
        session.execute(delete(OnceMarker).where(OnceMarker.kind == _ANSWERS))
        session.add(OnceMarker(kind=_ANSWERS, name=fingerprint))
        touch(session.connection())


def _fingerprint(instance: Instance) -> str:
    """Return a hash of the settings and software versions on which answers depend."""
    software = [(plugin.name, plugin.version) for plugin in instance.plugins]
    shown = [s for s in instance.declared.values() if s.shows and not s.secret]
    settings = sorted((s.name, repr(instance.settings[s])) for s in shown)
    return hashlib.blake2b(f"{software} {settings}".encode(), digest_size=16).hexdigest()
