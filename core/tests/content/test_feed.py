"""A mistake in a feed's declaration stops the start with one clear line."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase, Mapped

from masthead import (
    ContentItem,
    ContentType,
    Enclosure,
    Feed,
    ListOf,
    StartError,
    Str,
    Timestamp,
    Url,
    field,
    plugin_metadata,
)


def declare(**feed: Any) -> ContentType:
    """Declare a content type with a feed."""

    class Base(DeclarativeBase):
        metadata = plugin_metadata("things")

    class Thing(ContentItem, Base):
        __tablename__ = "things_thing"

        starts: Mapped[datetime | None] = field(Timestamp())
        photo: Mapped[str | None] = field(Url())
        colours: Mapped[list[str] | None] = field(ListOf(Str()))
        secret: Mapped[str | None] = field(Str(), public=False)

    return ContentType(name="things", label="Thing", model=Thing, feed=Feed(**feed))


@pytest.mark.parametrize(
    ("feed", "named"),
    [
        ({"date": "photo"}, "feed date names photo"),
        ({"date": "createdAt"}, "feed names createdAt"),
        ({"category": "secret"}, "feed names secret"),
        ({"image": "picture"}, "feed names picture"),
        ({"lead": ("starts", "colours")}, "feed names colours"),
        ({"enclosure": Enclosure("photo", "type", "photo")}, "feed names type"),
        ({"elements": {"x:a": "secret"}, "namespaces": {"x": "urn:x"}}, "feed names secret"),
    ],
)
def test_a_field_that_a_feed_cannot_show_is_refused(feed: dict[str, Any], named: str) -> None:
    with pytest.raises(StartError, match=f"^things: {named}, but accepts only "):
        declare(**feed)


@pytest.mark.parametrize(
    ("elements", "namespaces", "trouble"),
    [
        ({"x:a": "photo"}, {}, "the element x:a has no prefix from namespaces"),
        ({"a": "photo"}, {"x": "urn:x"}, "the element a has no prefix from namespaces"),
        ({"x:a b": "photo"}, {"x": "urn:x"}, "the element x:a b has no prefix"),
        ({"x:1": "photo"}, {"x": "urn:x"}, "the element x:1 has no prefix"),
        ({}, {"atom": "urn:x"}, "the prefix atom is reserved"),
        ({}, {"x y": "urn:x"}, "the prefix x y is no XML name"),
    ],
)
def test_an_element_that_xml_cannot_have_is_refused(
    elements: dict[str, str], namespaces: dict[str, str], trouble: str
) -> None:
    with pytest.raises(StartError, match=f"^feed: {trouble}"):
        declare(elements=elements, namespaces=namespaces)


def test_a_feed_may_name_public_fields() -> None:
    content_type = declare(
        date="starts",
        image="photo",
        lead=("starts", "title"),
        elements={"x:a": "photo"},
        namespaces={"x": "urn:x"},
    )

    assert content_type.feed is not None
    assert set(content_type.feed.fields) == {"starts", "photo", "title"}
