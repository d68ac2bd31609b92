"""The content types of core's tests fulfil the contract of all content types."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.content.contenttype import ContentType
from masthead.testing import ContentTypeContract
from masthead.testing.time_contract import TimeContract


class TestToys(ContentTypeContract):
    staff_only = ("note",)
    unstaged = ("displayOrder",)
    other_values = {"fragile": False, "minAge": 4, "maxAge": 5}

    @pytest.fixture(autouse=True)
    def _content_type(self, toys_type: ContentType) -> None:
        self.content_type = toys_type


class TestSales(TimeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, sales_type: ContentType) -> None:
        self.content_type = sales_type

    def first(self, *_names: str) -> dict[str, Any]:
        return {"title": "Stall", "endsAt": "2100-01-01T00:00:00.000Z"}


class TestMemos(ContentTypeContract):
    @pytest.fixture(autouse=True)
    def _content_type(self, memos_type: ContentType) -> None:
        self.content_type = memos_type
