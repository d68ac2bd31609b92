"""All that the frame of a page needs, in one answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import images_of, instance_of, public_organisation
from masthead_site.models import StaticImage
from masthead_site.services.navigation import public_tree


def read_site(session: Session) -> dict[str, Any]:
    """Return the organisation, the images at fixed places and the navigation, by wire name."""
    images, navigation = list(_read_images(session)), public_tree(session)
    return {**public_organisation(session), "images": images, "navigation": navigation}


def _read_images(session: Session) -> Iterator[dict[str, Any]]:
    """Yield the images, each with the stored image at its address."""
    address = StaticImage.__table__.c.image_url
    stored = images_of(instance_of(session)).column("image", address).expression
    rows = session.execute(select(StaticImage, stored).order_by(StaticImage.id))
    for place, image in rows:
        yield {
            "id": place.id,
            "name": place.name,
            "description": place.description,
            "imageUrl": place.image_url,
            "image": image and json.loads(image),
            "recommendedFormat": place.recommended_format,
            "recommendedSize": place.recommended_size,
            "contentDescription": place.content_description,
        }
