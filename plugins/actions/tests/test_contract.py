"""Actions fulfil the contract of content types."""

from __future__ import annotations

from masthead.testing import ContentTypeContract
from masthead_actions.contenttype import ACTIONS


class TestActions(ContentTypeContract):
    content_type = ACTIONS
    unstaged = ("displayOrder",)
