"""Reading and changing the facts about the organisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from masthead.db import utcnow
from masthead.db.locking import lock
from masthead.instance import instance_of
from masthead.organisation.models import ROW_ID, StoredOrganisation
from masthead.organisation.schemas import FIELDS
from masthead.organisation.settings import LANGUAGE, NAME, TIMEZONE
from masthead.schemas.language_tags import text_direction
from masthead.schemas.time_zones import find_zone
from masthead.settings import Settings


@dataclass(frozen=True)
class Organisation:
    """The organisation as pages, feeds, calendars and mails show it."""

    name: str
    """Blank if it is unknown."""
    tagline: str | None
    description: str | None
    language: str
    """The tag of its language."""
    zone: ZoneInfo


def organisation_of(
    session: Session, *, name: str | None = None, language: str | None = None
) -> Organisation:
    """Return the organisation: the facts that staff have set, else those of the settings.

    :param name: the name if staff have set none; by default that of ``masthead.name``.
    :param language: the same for the language; by default that of ``masthead.language``.
    """
    stored, own = _stored(session), default_organisation(instance_of(session).settings)
    zone = stored.time_zone if stored else None
    return Organisation(
        name=(stored and stored.name) or (own.name if name is None else name),
        tagline=(stored and stored.tagline) or None,
        description=(stored and stored.description) or None,
        language=(stored and stored.language) or (own.language if language is None else language),
        zone=find_zone(zone) if zone else own.zone,
    )


def default_organisation(settings: Settings) -> Organisation:
    """Return the organisation as the settings describe it."""
    return Organisation(settings[NAME], None, None, settings[LANGUAGE], settings[TIMEZONE])


def public_organisation(session: Session) -> dict[str, Any]:
    """Return the facts as the public sees them, by wire name."""
    facts, _ = read_organisation(session)
    own = organisation_of(session)
    return facts | _defaults(own) | {"dir": text_direction(own.language)}


def read_organisation(session: Session) -> tuple[dict[str, Any], int]:
    """Return the facts that staff have set, by wire name, and their revision, which begins at 0.

    Those of the settings are added as ``defaults``.
    """
    stored = _stored(session)
    defaults = {"defaults": _defaults(default_organisation(instance_of(session).settings))}
    if stored is None:
        return {f.name: f.default() for f in FIELDS} | defaults, 0
    return {f.name: getattr(stored, f.attribute) for f in FIELDS} | defaults, stored.revision


def lock_organisation(session: Session) -> int:
    """Lock the facts against other writers, and return their revision."""
    # Two concurrent first writes would both insert.
    lock(session, "organisation")
    stored = _stored(session)
    if stored is not None:
        session.refresh(stored)
    return 0 if stored is None else stored.revision


def change_organisation(session: Session, changes: Mapping[str, Any]) -> None:
    """Change facts that are locked.

    :param changes: checked values by wire name; None clears one, so that its setting counts.
    """
    shown, revision = read_organisation(session)
    changed = {name: value for name, value in changes.items() if value != shown.get(name, value)}
    if changed:
        stored = _stored(session) or StoredOrganisation(id=ROW_ID)
        for field in FIELDS:
            if field.name in changed:
                setattr(stored, field.attribute, changed[field.name])
        stored.revision, stored.updated_at = revision + 1, utcnow()
        session.add(stored)
        session.flush()


def _defaults(organisation: Organisation) -> dict[str, str]:
    """Return the facts that always have a value, by wire name."""
    return {
        "name": organisation.name,
        "language": organisation.language,
        "timeZone": organisation.zone.key,
    }


def _stored(session: Session) -> StoredOrganisation | None:
    return session.get(StoredOrganisation, ROW_ID)
