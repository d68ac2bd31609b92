"""All that the frame of a page needs, in one answer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import public_organisation
from masthead_site.models import StaticImage
from masthead_site.services.navigation import public_tree


def read_site(session: Session) -> dict[str, Any]:
    """Return the organisation, the images at fixed places and the navigation, by wire name."""
    images = session.scalars(select(StaticImage).order_by(StaticImage.id)).all()
    return {**public_organisation(session), "images": images, "navigation": public_tree(session)}
