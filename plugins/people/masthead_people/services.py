"""What the public sees of the people."""

from __future__ import annotations

from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from masthead import Page, Window
from masthead_people.models import Person


def list_published(session: Session, window: Window) -> Page:
    """A page of the published people in their order."""
    # Not ``is_()``, which the partial index isn't used for.
    published = Person.published == true()
    total = session.scalar(select(func.count()).select_from(Person).where(published))
    people = select(Person).where(published).order_by(Person.display_order, Person.id)
    return Page(list(session.scalars(people.limit(window.limit).offset(window.offset))), total or 0)
