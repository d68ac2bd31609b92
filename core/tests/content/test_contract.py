"""The content types of core's tests fulfil the contract of all content types."""

from __future__ import annotations

import pytest

from masthead.content.contenttype import ContentType
from masthead.testing import ContentTypeContract


class TestToys(ContentTypeContract):
    other_values = {"fragile": False, "minAge": 4, "maxAge": 5}

    @pytest.fixture(autouse=True)
    def _content_type(self, toys_type: ContentType) -> None:
        self.content_type = toys_type


class TestMemos(ContentTypeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, memos_type: ContentType) -> None:
        self.content_type = memos_type
