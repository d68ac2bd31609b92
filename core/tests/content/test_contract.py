"""Content types of core's own tests keep what every content type keeps."""

from __future__ import annotations

import pytest

from masthead.content.contenttype import ContentType
from masthead.testing import ContentTypeContract


class TestToys(ContentTypeContract):
    other_values = {"fragile": False, "leastAge": 4, "mostAge": 5}

    @pytest.fixture(autouse=True)
    def _content_type(self, toys_type: ContentType) -> None:
        self.content_type = toys_type


class TestMemos(ContentTypeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, memos_type: ContentType) -> None:
        self.content_type = memos_type
