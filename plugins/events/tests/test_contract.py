"""Events fulfil the contract of content types."""

from __future__ import annotations

import pytest

from masthead.testing import ContentTypeContract
from masthead_events.contenttype import EVENTS

pytestmark = pytest.mark.product


class TestEvents(ContentTypeContract):
    content_type = EVENTS
