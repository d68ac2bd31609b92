"""The images at fixed places of the website."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import NotFound, Page, Window
from masthead_site.models import StaticImage


def list_images(session: Session, window: Window) -> Page:
    """A part of the static images, by id."""
    total = session.scalar(select(func.count()).select_from(StaticImage)) or 0
    rows = select(StaticImage).order_by(StaticImage.id).limit(window.limit).offset(window.offset)
    return Page(session.scalars(rows).all(), total)


def get_image(session: Session, image_id: str) -> StaticImage:
    """A static image.

    :raises NotFound: where there is none of that id.
    """
    image = session.get(StaticImage, image_id)
    if image is None:
        raise NotFound
    return image
