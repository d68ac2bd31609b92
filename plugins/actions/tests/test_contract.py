"""Actions fulfil the contract of content types."""

from __future__ import annotations

import pytest

from masthead.testing import ContentTypeContract
from masthead_actions.contenttype import ACTIONS

pytestmark = pytest.mark.product


class TestActions(ContentTypeContract):
    content_type = ACTIONS
    unstaged = ("displayOrder",)
