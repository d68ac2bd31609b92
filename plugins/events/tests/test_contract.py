"""Events fulfil the contract of content types."""

from __future__ import annotations

from masthead.testing import ContentTypeContract
from masthead_events.contenttype import EVENTS


class TestEvents(ContentTypeContract):
    content_type = EVENTS
